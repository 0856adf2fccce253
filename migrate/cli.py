"""The command ``dstream-migrate``."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

import click

from migrate.errors import EnvironmentProblemError, Exit, say
from migrate.garbage import collect_rarely


class Commands(click.Group):
    """A command is imported when it is used, so that the light ones start without what the others need."""

    modules = {
        "check": "migrate.commands",
        "rewrite": "migrate.commands",
        "verify": "migrate.verify.command",
        "learn": "migrate.learn.command",
        "report": "migrate.commands",
        "rules": "migrate.commands",
        "demo": "migrate.demo",
        "handover": "migrate.handover",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order in which one uses them."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command called `cmd_name`."""
        if cmd_name not in self.modules:
            return None
        command = getattr(importlib.import_module(self.modules[cmd_name]), cmd_name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dstream-migrate")
def commands() -> None:
    """Move PySpark DStream programs to Structured Streaming, and prove that the results are the same.

    Exit codes: 0 nothing pending, 1 changes pending or results differ, 2 a file could not be read or parsed,
    3 wrong usage or environment, 70 an error of dstream-migrate itself; the highest wins.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code."""
    collect_rarely()
    try:
        code = commands.main(arguments, prog_name="dstream-migrate", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = Exit.ENVIRONMENT
    except EnvironmentProblemError as error:
        say(str(error))
        code = Exit.ENVIRONMENT
    except (click.Abort, KeyboardInterrupt):
        say("interrupted")
        code = Exit.INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it exits
        code = Exit.CLOSED
    except Exception:
        traceback.print_exc()
        say("this is an error of dstream-migrate itself, please report it; no file was left half written")
        code = Exit.INTERNAL
    sys.exit(int(code or 0))
