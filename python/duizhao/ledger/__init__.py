"""The ledger: what Lean says of each theorem, joined with what the numbers say."""
