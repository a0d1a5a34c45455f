"""Translation functions for texts that all games and pages share.

`_`, `n_` (plural) and `c_` (context) translate into the reader's language. `N_` only marks a text that is translated
later.
"""

from facedown.core.translation import Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = gettext_noop
