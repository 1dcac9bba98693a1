"""Records what real matplotlib (3.11) prints for the cells in this folder, into answers.json beside it.

    MPLBACKEND=agg python tests/python/pyplot/record.py
"""

from __future__ import annotations

import json
from pathlib import Path

import cells

HERE = Path(__file__).parent
NOT_CELLS = {"cells.py", "record.py"}


def main() -> None:
    """Runs all cells and writes the answers."""
    files = sorted(path for path in HERE.glob("*.py") if path.name not in NOT_CELLS)
    answers = cells.run_all({path.stem: path.read_text() for path in files})
    text = json.dumps(answers, indent=1, ensure_ascii=False, sort_keys=True)
    (HERE / "answers.json").write_text(text + "\n")
    print(sum(map(len, answers.values())), "cells recorded")


if __name__ == "__main__":
    main()
