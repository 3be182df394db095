"""What an audit found, for a terminal (`terminal`), as data (`as_json`), as a page (`page`) and for CI (`junit`)."""
