"""Translation functions for Detect's texts: `_`, `n_` (plural) and `c_` (context) translate into the reader's language.

`N_` returns its text unchanged. It only marks the text for the tool that collects texts for translators. The text is
translated with `_` when it is displayed.
"""

from facedown.core.translation import Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = gettext_noop
