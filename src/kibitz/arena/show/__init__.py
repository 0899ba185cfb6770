"""How it is shown: tables in the terminal, and reports."""
