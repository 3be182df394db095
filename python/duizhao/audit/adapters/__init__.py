"""Adapters for libraries, one module a library, found by the name of the function."""

REGISTERED: dict[str, str] = {}
"""The adapter, `module:NAME`, for a function, `module:function`: looked up when the function is audited."""
