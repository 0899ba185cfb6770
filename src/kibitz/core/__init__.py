"""What is true of any game: the contract, tables, records, dice. Knows no game and no agent."""
