"""The texts that all games and pages share, in the language of whoever reads them."""

from facedown.core.language import Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = gettext_noop
