"""Duizhao: attention, proved in Lean, tested on floats, explained in Chinese.

The reference functions live in a module a topic and nothing is re-exported: `from duizhao.read import read`.
"""

from importlib.metadata import version

__version__ = version("duizhao")
