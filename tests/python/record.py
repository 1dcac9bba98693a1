"""Records what real JAX says to the programs under programs/: python tests/python/record.py

Needs jax==0.10.2 (CPU). Every program runs in a process of its own; what it printed and what it raised goes into
answers.json, by group and name. Programs that fixes gave (fixed.json, written by fixed.ts) are run as well.
"""

from __future__ import annotations

import io
import json
import os
import pathlib
import sys
from contextlib import redirect_stdout

HERE = pathlib.Path(__file__).parent


def programs(text: str) -> dict[str, str]:
    """The programs of a file by name: each begins with a line `#%% name`."""
    found: dict[str, str] = {}
    for part in ("\n" + text).split("\n#%% ")[1:]:
        name, _, source = part.partition("\n")
        assert name not in found, name
        found[name] = source.rstrip() + "\n"
    return found


def answer(source: str) -> dict[str, object]:
    """What a program prints and raises."""
    out = io.StringIO()
    raised = None
    try:
        with redirect_stdout(out):
            exec(compile(source, "<program>", "exec"), {"__name__": "__main__"})
    except BaseException as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        raised = {"class": type(error).__name__, "message": message}
    return {"stdout": out.getvalue(), "raised": raised}


def in_child(source: str) -> dict[str, object]:
    """The answer of a forked process, so that no program sees what another one did."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "w") as pipe:
            json.dump(answer(source), pipe)
            pipe.flush()
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text)


def main() -> None:
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["JAX_TRACEBACK_FILTERING"] = "off"
    import jax
    import jax.numpy  # noqa: F401  before the fork, so that no process has to import it again

    assert jax.__version__ == "0.10.2", jax.__version__
    answers = {}
    for file in sorted((HERE / "programs").glob("*.py")):
        if sys.argv[1:] and file.stem not in sys.argv[1:]:
            continue
        answers[file.stem] = {name: in_child(source) for name, source in programs(file.read_text()).items()}
        print(file.stem, len(answers[file.stem]), file=sys.stderr)
    fixed_path = HERE / "fixed.json"
    fixed = json.loads(fixed_path.read_text())
    for entry in fixed.values():
        entry["answer"] = entry["answer"] or in_child(entry["source"])
    fixed_path.write_text(json.dumps(fixed, indent=1, ensure_ascii=False) + "\n")
    path = HERE / "answers.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**known, **answers}, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
