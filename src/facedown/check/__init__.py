"""What every game must hold to, for those who write one: ``facedown check-game``. The house's own tests use it as well.

Rules are compared with themselves at two speeds, what is shown with what is known, pages with what is to be seen on
them. Nothing here knows a game.
"""
