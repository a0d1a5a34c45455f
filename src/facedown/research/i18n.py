"""Gettext functions of `facedown.research`: they translate its texts into the current locale."""

from facedown.core.translation import Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = gettext_noop
