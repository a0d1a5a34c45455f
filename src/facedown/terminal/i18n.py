"""Gettext functions for the texts of the package `facedown.terminal`."""

from facedown.core.translation import Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = gettext_noop
