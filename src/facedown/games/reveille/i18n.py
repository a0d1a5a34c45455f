"""Translation functions for Reveille's texts. They return text in the reader's language."""

from facedown.core.language import Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
N_ = gettext_noop
