"""Commands for those who work on pymorph; nothing of the package imports them."""
