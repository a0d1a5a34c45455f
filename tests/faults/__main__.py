"""``python -m tests.faults --faults 300``: many faults in both kinds of house, and what came of them."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.worlds import PAUSE, on_postgres, on_sqlite
from tests.services import Postgres, Redis, find_postgres, redis_program


def main() -> int:
    """Let things go wrong; 1 if anything was lost, doubled or shown wrongly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=300, help="in all, half of them in each house")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--pause", type=float, default=PAUSE, help="seconds between two faults, about")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--only", choices=("sqlite", "postgres"))
    args = parser.parse_args()
    print(f"seed {args.seed}")
    given = {
        "tables": args.tables,
        "seed": args.seed,
        "pause": args.pause,
        "tell": lambda text: print(text, flush=True),
    }
    faults = args.faults if args.only else args.faults // 2
    wrong: list[str] = []
    if args.only != "postgres":
        with tempfile.TemporaryDirectory() as name:
            began = time.monotonic()
            outcome = asyncio.run(on_sqlite(Path(name), faults=faults, **given))
            print(f"SQLite, {time.monotonic() - began:.0f} s: {outcome}", flush=True)
            wrong += outcome.wrong
    programs, redis = find_postgres(), redis_program()
    if args.only != "sqlite" and programs and redis:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
            folders = [Path(name) / part for part in ("postgres", "redis", "servers")]
            for folder in folders:
                folder.mkdir()
            Path(name).chmod(0o755)
            database, bus = Postgres(programs, folders[0]), Redis(redis, folders[1])
            try:
                began = time.monotonic()
                outcome = asyncio.run(on_postgres(folders[2], database, bus, faults=faults, **given))
                print(f"PostgreSQL and Redis, {time.monotonic() - began:.0f} s: {outcome}", flush=True)
                wrong += outcome.wrong
            finally:
                bus.end()
                database.stop()
    for text in wrong:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
