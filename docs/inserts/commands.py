"""The reference of the command, made from the command itself.

* `markdown`: headings, what each command does, and tables of its arguments and options, in Chinese.
* `sentences`: the English sentences in it.
"""

# ruff: noqa: RUF001 (Chinese punctuation)

from collections.abc import Iterator
from enum import Enum
from typing import Any

import typer.main
from docs.inserts import chinese

from duizhao.cli import app

Command = Any
"""A command or a group of commands as typer has it."""


def commands() -> Iterator[tuple[str, Command]]:
    """Yield each command with the words that call it, groups before what is in them."""
    yield from _below("duizhao", typer.main.get_command(app))


def _below(words: str, command: Command) -> Iterator[tuple[str, Command]]:
    yield words, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _below(f"{words} {name}", inner)


def paragraphs(command: Command) -> list[str]:
    """Return the paragraphs of what a command says of itself, with single spaces."""
    return [" ".join(text.split()) for text in (command.help or "").split("\n\n")]


def sentences() -> set[str]:
    """Return every English sentence of the reference."""
    found: set[str] = set()
    for _, command in commands():
        found.update(paragraphs(command))
        found.update(parameter.help for parameter in command.params if parameter.help)
    return found - {""}


def markdown() -> str:
    """Return the reference as Markdown."""
    return "\n\n".join(_command(words, command) for words, command in commands())


def _command(words: str, command: Command) -> str:
    anchor = words.replace(" ", "-")
    parts = [f"{'##' if words == 'duizhao' else '###'} {words} {{#{anchor}}}"]
    parts += [chinese.sentence("commands", text) for text in paragraphs(command) if text]
    arguments = [parameter for parameter in command.params if not _is_option(parameter)]
    options = [parameter for parameter in command.params if _is_option(parameter)]
    usage = " ".join([words, *(_usage(argument) for argument in arguments)])
    below = getattr(command, "commands", {})
    parts.append(f"```text\n{usage}{' [OPTIONS]' if options else ''}{' COMMAND' if below else ''}\n```")
    if command.params:
        rows = "\n".join(_row(parameter) for parameter in (*arguments, *options))
        parts.append(f"| 参数 | 含义 | 默认 |\n| --- | --- | --- |\n{rows}")
    return "\n\n".join(parts)


def _is_option(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "option")


def _usage(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return name if argument.required else f"[{name}]"


def _row(parameter: Any) -> str:
    names = [_usage(parameter)] if not _is_option(parameter) else list(parameter.opts)
    takes = parameter.metavar if _is_option(parameter) and not parameter.is_flag else None
    shown = "、".join(f"`{name}{f' {takes}' if takes else ''}`" for name in names)
    default = parameter.default.value if isinstance(parameter.default, Enum) else parameter.default
    without = default is None or default is False or callable(default) or not str(default)
    meaning = chinese.sentence("commands", parameter.help or "").replace("|", "\\|")
    return f"| {shown} | {meaning} | {'–' if without else f'`{default}`'} |"
