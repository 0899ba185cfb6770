"""What came of it: the ledger, scores and standings, and the statistics behind them."""
