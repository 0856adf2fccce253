"""What Spark refuses to start."""

from __future__ import annotations

from compat import graph


def check(program: graph.Graph, *, directory: bool) -> None:
    """Raise ValueError, in Spark's words, for a program that cannot be started.

    Args:
        program: the graph; streams that no output reads do not count.
        directory: whether there is a checkpoint directory.
    """
    if not program.outputs:
        raise ValueError("No output operations registered, so nothing to execute")
    read = program.read
    for stream in program.nodes:
        if stream in read:
            assert isinstance(stream, graph.Stream)
            _check_stream(stream, program.checkpointed.get(stream), directory)


def _check_stream(stream: graph.Stream, interval_ms: int | None, directory: bool) -> None:
    if not directory and (interval_ms is not None or _needs_checkpoint(stream)):
        raise ValueError(
            "The checkpoint directory has not been set. Please set it by StreamingContext.checkpoint()."
        )
    if interval_ms is None:
        return
    has = f"The checkpoint interval for {stream.operator} has been set to {interval_ms} ms"
    slide = f"slide time ({stream.slide_ms} ms)"
    if interval_ms < stream.slide_ms:
        raise ValueError(
            f"{has} which is lower than its {slide}. Please set it to at least {stream.slide_ms} ms."
        )
    if interval_ms % stream.slide_ms:
        raise ValueError(f"{has} which is no multiple of its {slide}. Please set it to a multiple of it.")


def _needs_checkpoint(stream: graph.Stream) -> bool:
    """State does, and any inverse: as for DStreams, also where the window is too short to be carried on."""
    if isinstance(stream, graph.ReduceByKeyAndWindow):
        return stream.inverse is not None
    return isinstance(stream, graph.UpdateStateByKey)
