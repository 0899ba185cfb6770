"""`python -m kibitz` is the command line."""

from kibitz.cli import main

main()
