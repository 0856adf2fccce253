"""What plans a graph's new code line by line has in common: the plan, and where its statements go."""

from __future__ import annotations

import ast

from migrate.graph.arrange import arrange
from migrate.graph.program import Program
from migrate.graph.sessions import existing_session
from migrate.model import Options
from migrate.plan.advance import live_operations
from migrate.plan.code import Code, Written
from migrate.plan.plan import Plan
from migrate.plan.session import later_session, plan_session
from migrate.plan.stages import Choices
from migrate.proofs.facts import Facts
from migrate.trace import Trace

HIVE = "a `HiveContext` had Hive up to Spark 2.4, and has none by itself since: the new session has it"


class Planning:
    """A plan that grows."""

    def __init__(
        self,
        trace: Trace,
        options: Options,
        choices: Choices,
        over_arrow: set[ast.Call],
        program: Program,
    ) -> None:
        self.program = program
        facts = Facts(program, trace)
        found = arrange(program.reading, trace, program.tree, program.start, program.scope)
        self.made = Plan(program, found, facts, trace, options, choices, over_arrow)
        name = later_session(program, facts, trace) or facts.fresh("spark")
        existing = existing_session(program.tree, program.construction, trace)
        if program.carriers is not None:
            name = program.carriers.name_of(program.construction.targets[0])
            existing = existing if existing == name else None
        self.made.session_plan = plan_session(program, trace, name, existing)
        self.made.session = self.made.session_plan.name
        if self.made.session_plan.has_hive:
            self.made.notes[HIVE] = None
        self.made.batch = facts.fresh("batch")
        self.made.batch_id = facts.fresh("batch_id")
        apart = program.home is not program.scope
        self.made.query = facts.fresh("query", anywhere=apart)
        self.made.writer = facts.fresh("writer", anywhere=apart)
        self.made.function = facts.fresh("process_batch")
        self.made.rdd = facts.fresh("rdd")
        self.live = live_operations(program)

    def inside(self, code: Code, statement: ast.stmt | None) -> None:
        """Add a statement to the batch function, in the place of one of the program."""
        made = self.made
        replaced = [*made.pending_comments, *([statement] if statement is not None else [])]
        made.pending_comments.clear()
        already = {old for written in made.inside for old in written.replaces}
        made.inside.append(Written(code, tuple(old for old in replaced if old not in already)))
