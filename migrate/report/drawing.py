"""A pipeline as an SVG picture: one row per step away from the sources, drawn from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from migrate.report.flow import Flow, Step

HEIGHT, GAP, ACROSS, MARGIN = 38, 26, 18, 8
"""Pixels: of a step, between rows, between the steps of a row, around everything."""
LETTER, SMALL, PADDING = 7.8, 6.3, 30
"""Pixels: of a letter of the label and of the detail, and of what is beside them."""


@dataclass(frozen=True)
class _Box:
    x: float
    y: float
    width: float


def svg(flow: Flow, title: str) -> str:
    """The picture; an empty text if there is nothing to draw."""
    if not flow.steps:
        return ""
    boxes = _boxes(flow)
    width = max(box.x + box.width for box in boxes) + MARGIN
    height = max(box.y for box in boxes) + HEIGHT + MARGIN
    parts = [
        f'<svg class="flow" role="img" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' height="{height:.0f}"><title>{escape(title)}</title>',
        *(_edge(boxes[left], boxes[right]) for left, right in flow.edges),
        *(_step(step, box) for step, box in zip(flow.steps, boxes, strict=True)),
        "</svg>",
    ]
    return "".join(parts)


def _boxes(flow: Flow) -> list[_Box]:
    """Where each step is."""
    rows = _rows(flow)
    widths = [_width(step) for step in flow.steps]
    spans = [sum(widths[step] for step in row) + ACROSS * (len(row) - 1) for row in rows]
    boxes: dict[int, _Box] = {}
    for number, row in enumerate(rows):
        x = MARGIN + (max(spans) - spans[number]) / 2
        for step in row:
            boxes[step] = _Box(x, MARGIN + number * (HEIGHT + GAP), widths[step])
            x += widths[step] + ACROSS
    return [boxes[step] for step in range(len(flow.steps))]


def _rows(flow: Flow) -> list[list[int]]:
    """The steps by their distance from the sources; each row in the order of what it reads."""
    above: dict[int, list[int]] = {}
    for left, right in flow.edges:
        above.setdefault(right, []).append(left)
    depth: dict[int, int] = {}
    for _ in flow.steps:  # as often as the longest chain can ask for; a loop in the program ends it, too
        before = dict(depth)
        for step in range(len(flow.steps)):
            depth[step] = min(
                1 + max((depth.get(parent, 0) for parent in above.get(step, [])), default=-1),
                len(flow.steps) - 1,
            )
        if depth == before:
            break
    levels = sorted(set(depth.values()))
    rows: list[list[int]] = []
    place: dict[int, float] = {}
    for level in levels:
        row = [step for step in range(len(flow.steps)) if depth[step] == level]
        row.sort(key=lambda step: (_middle([place[p] for p in above.get(step, []) if p in place]), step))
        place.update({step: position - (len(row) - 1) / 2 for position, step in enumerate(row)})
        rows.append(row)
    return rows


def _middle(places: list[float]) -> float:
    return sum(places) / len(places) if places else 0


def _width(step: Step) -> float:
    return max(len(step.label) * LETTER, len(step.detail) * SMALL) + PADDING


def _step(step: Step, box: _Box) -> str:
    return "".join(_step_parts(step, box))


def _step_parts(step: Step, box: _Box) -> Iterator[str]:
    middle = box.x + box.width / 2
    yield f'<g class="step {escape(step.kind)}">'
    yield f'<rect x="{box.x:.1f}" y="{box.y}" width="{box.width:.1f}" height="{HEIGHT}" rx="8"/>'
    lift = 0 if step.detail else 6
    yield f'<text x="{middle:.1f}" y="{box.y + 17 + lift}">{escape(step.label)}</text>'
    if step.detail:
        yield f'<text class="detail" x="{middle:.1f}" y="{box.y + 31}">{escape(step.detail)}</text>'
    yield "</g>"


def _edge(left: _Box, right: _Box) -> str:
    x1, y1 = left.x + left.width / 2, left.y + HEIGHT
    x2, y2 = right.x + right.width / 2, right.y
    bend = max(GAP / 2, abs(y2 - y1) / 2)
    return f'<path d="M{x1:.1f} {y1} C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2}"/>'
