"""The results: the ledger, standings, and the statistics behind them."""
