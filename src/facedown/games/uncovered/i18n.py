"""Translation functions for the texts of Uncovered! They return text in the reader's language."""

from facedown.core.language import Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = gettext_noop
