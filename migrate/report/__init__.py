"""What a run found, for people and for machines, from the same `Result`."""

from importlib.metadata import PackageNotFoundError, version


def tool_version() -> str:
    """The version of this package; 0 where it runs from its sources without being installed."""
    try:
        return version("dstream-migrate")
    except PackageNotFoundError:
        return "0"
