"""Entry point of ``python -m facedown``: runs the command line."""

from facedown.terminal.cli import main

main()
