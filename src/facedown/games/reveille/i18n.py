"""Translation functions for the texts of Reveille."""

from facedown.core.language import Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
N_ = gettext_noop
