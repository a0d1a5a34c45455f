"""Translation functions for SCOUT's texts: `_`, `n_` (plural) and `c_` (context) translate into the reader's language.

`N_` returns its text unchanged. The tool that collects texts for translators finds the calls of `N_`. The code passes
such a text to `_` later, where it is shown.
"""

from facedown.core.translation import Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = gettext_noop
