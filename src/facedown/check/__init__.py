"""Checks that every game must pass, run by ``facedown check-game`` and by the tests of this project.

They compare compiled code with plain Python, what viewers see with what they know, and pages with the data that the
pages must show. The checks contain no code for particular games.
"""
