"""Sentences of the sources in Chinese: `chinese.json` gives one for each English one, in sections.

* `sentence`: the HTML of a sentence, in Chinese where there is a translation.
* `sections`: all translations, for the test that nothing is missing and nothing left over.

A sentence is looked up as the source writes it, so that a changed source asks for a changed translation.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

FILE = Path(__file__).with_suffix(".json")


@cache
def sections() -> Mapping[str, Mapping[str, str]]:
    """Return the translations: English to Chinese, by section."""
    read: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return read


def code(text: str) -> str:
    """Return text as HTML, with what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


def english(text: str) -> str:
    """Return an English text as HTML that says that it is English."""
    return f'<span lang="en">{code(text)}</span>'


def sentence(section: str, text: str) -> str:
    """Return the HTML of an English sentence in Chinese, or marked as English if there is no translation."""
    translated = sections().get(section, {}).get(text)
    return english(text) if translated is None else code(translated)
