"""Translation functions for the texts of Kuhn poker."""

from facedown.core.translation import Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
N_ = gettext_noop
