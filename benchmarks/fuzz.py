"""Fuzz parse -> extract -> build -> write with made documents for some time, and say what broke.

    python benchmarks/fuzz.py --seconds 600 [--seed 7]

Needs the test requirements. Prints how many documents were tried; exits 1 with the smallest document that broke.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))


def main() -> int:
    from hypothesis import HealthCheck, given, seed, settings

    from tests.reliability.documents import DOCUMENTS, holds

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    until = time.monotonic() + wanted.seconds
    tried = 0
    rounds = 0
    slowest = (0.0, b"")
    while time.monotonic() < until:

        @seed(wanted.seed + rounds)
        @settings(max_examples=500, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(DOCUMENTS)
        def run(data: bytes) -> None:
            nonlocal tried, slowest
            if time.monotonic() > until:
                return
            tried += 1
            begin = time.process_time()
            holds(data)
            slowest = max(slowest, (time.process_time() - begin, data))

        rounds += 1
        try:
            run()
        except Exception:
            traceback.print_exc()
            print(f"broke after {tried} documents, seed {wanted.seed + rounds - 1}")
            return 1
    print(f"{tried} documents, nothing broke; the slowest took {slowest[0]:.2f} s of CPU: {slowest[1][:300]!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
