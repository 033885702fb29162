"""`python -m pymorph`."""

from pymorph.cli.app import main

if __name__ == "__main__":
    main()
