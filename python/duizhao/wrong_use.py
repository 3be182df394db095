"""Wrong use of the command: one line on standard error, exit code 2."""


class WrongUseError(Exception):
    """Wrong use or unreadable input; its text is one line that says what to do."""
