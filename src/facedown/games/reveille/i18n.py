"""Translation functions for Reveille's texts: `_` and `n_` (plural) translate into the reader's language.

`N_` only marks a text that is translated later.
"""

from facedown.core.translation import Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
N_ = gettext_noop
