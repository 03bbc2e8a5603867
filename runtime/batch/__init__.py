"""A run by way of a provider's batches: requests are handed over as files, and answered within a day.

`asking` leads from one to the next: `ledger` holds what is out, `writing` makes a batch's input, `handing`
hands it over, `collecting` reads what came of it, `telling` says so.
"""
