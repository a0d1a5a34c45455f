"""``python -m facedown`` is the command line."""

from facedown.terminal.cli import main

main()
