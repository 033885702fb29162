"""`python -m pymorph`."""

from pymorph.cli import main

main()
