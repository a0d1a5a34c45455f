"""Run a load test of the web table: ``python -m benchmarks.load SCENARIO [--against COMMIT]``."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
from collections.abc import Coroutine
from typing import Any

from benchmarks.load.scenarios import RESTED, SCENARIOS, Asked, Figures
from benchmarks.load.servers import HERE, checked_out, run_servers


def _run(work: Coroutine[Any, Any, Figures]) -> Figures:
    """Run a coroutine and return its result; uses uvloop if it is installed."""
    with contextlib.suppress(ImportError):
        import uvloop

        return uvloop.run(work)
    return asyncio.run(work)


def main() -> int:
    """Run a scenario and print its figures; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument("--game", default="detect")
    parser.add_argument("--tables", type=int, default=48)
    parser.add_argument("--every", type=float, default=3.0, help="seconds between moves at a table (steady)")
    parser.add_argument("--seconds", type=float, default=30.0, help="duration of the measurement")
    parser.add_argument("--moves", type=int, default=12, help="moves at each table beforehand (memory, restart)")
    parser.add_argument("--plain", action="store_true", help="do not offer compression, unlike browsers")
    parser.add_argument("--gently", action="store_true", help="stop the server with SIGTERM (restart)")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--together", action="store_true", help="connect all seats of a table to the same process")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--bus", choices=("none", "redis"), default="none")
    parser.add_argument("--coach", action="store_true", help="let the coach review finished matches meanwhile")
    parser.add_argument(
        "--people",
        type=int,
        default=0,
        help="number of players that reconnect, each to a different table (restart; 0: all)",
    )
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--against", metavar="COMMIT", help="also measure the server at this commit, in turns")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    asked = Asked(
        args.game,
        args.tables,
        args.every,
        args.seconds,
        not args.plain,
        args.moves,
        not args.gently,
        args.together,
        args.people,
    )
    found: list[dict[str, object]] = []
    with contextlib.ExitStack() as stack:
        trees = {"now": HERE}
        if args.against:
            trees = {f"at {args.against[:12]}": stack.enter_context(checked_out(args.against))} | trees
        for _ in range(args.runs):
            for name, tree in trees.items():
                more = RESTED if args.scenario == "memory" else {}
                with run_servers(tree, args.processes, args.database, args.bus, coach=args.coach, **more) as running:
                    figures = _run(SCENARIOS[args.scenario](running, asked))
                found.append({"tree": name, **figures})
    if args.json:
        json.dump({"scenario": args.scenario, "asked": vars(args), "runs": found}, sys.stdout, indent=1)
        print()
    else:
        where = f"{args.processes} process(es) on {args.database}, bus: {args.bus}"
        print(f"{args.scenario}: {args.game}, {args.tables} tables; {where}")
        for name in found[0]:
            print(f"{name:>22} " + " ".join(f"{_format_figure(run[name]):>12}" for run in found))
    return 0


def _format_figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.2f}"
    return str(value)


if __name__ == "__main__":
    sys.exit(main())
