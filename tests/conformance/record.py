#!/usr/bin/env python3
"""Asks JAX 0.10.2 for the answers to every case and writes them to answers.json.

    pip install jax==0.10.2
    python tests/conformance/record.py            # all cases
    python tests/conformance/record.py --check    # exit 1 if the file would change
    python tests/conformance/record.py --show errors   # run one file, print its answers, write nothing

The cases are the `cases/*.md` files: a `## name`, optional `key: value` lines, the program in Python (```py)
and the same program in JavaScript (```js), which this script does not look at. Every program runs in a
namespace that holds only the names of PRELUDE. Options of a file stand before its first case, those of a
case after its name; README.md explains them.

An answer is what the program printed, and, if it ended in an error, the error's class, its message without
anything that changes from run to run, and the key: the part of the message people would search for.
"""

import contextlib
import io
import json
import logging
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
ANSWERS = HERE / "answers.json"
VERSION = "0.10.2"

PRELUDE = """
import jax
import jax.numpy as jnp
import numpy as onp
from jax import (
    grad, value_and_grad, jvp, vjp, jit, vmap, linearize, linear_transpose, jacfwd, jacrev, hessian,
    make_jaxpr, eval_shape, custom_jvp, custom_vjp, pure_callback, lax, nn, ShapeDtypeStruct,
)
from jax.experimental import io_callback
from jax.experimental.buffer_callback import buffer_callback
from jax.test_util import check_grads
"""


def parse(path):
    """The cases of one file, as dicts with `name`, `py` and the options."""
    defaults, cases, case, fence = {}, [], None, None
    for line in path.read_text(encoding="utf-8").splitlines():
        if fence is not None:
            if line == "```":
                fence = None
            else:
                case.setdefault(fence, []).append(line)
        elif line.startswith("## "):
            case = {"name": f"{path.stem}: {line[3:].strip()}", **defaults}
            cases.append(case)
        elif line.startswith("```"):
            fence = line[3:].strip()
        elif option := re.match(r"(\w+): (.*)", line):
            (defaults if case is None else case)[option[1]] = option[2].strip()
    for case in cases:
        case["py"] = "\n".join(case["py"])
    return cases


def load(only=None):
    cases = []
    for path in sorted((HERE / "cases").glob("*.md")):
        if only is None or only in path.stem:
            cases += parse(path)
    names = [case["name"] for case in cases]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SystemExit(f"two cases of one name: {twice}")
    return cases


def stable(text):
    """The text without what depends on the machine, the run, or the version of NumPy."""
    text = re.sub(r"np\.int64\((-?\d+)\)", r"\1", text)
    text = re.sub(r" at 0x[0-9a-fA-FX]+", "", text)
    text = re.sub(r" with object id \d+", "", text)
    text = re.sub(r" at (<case>|/\S+\.py):\d+", "", text)
    text = re.sub(r'File "(?:[^"]*/)?([^"/]+)", line \d+', r'File "\1"', text)
    return "\n".join(line.rstrip() for line in text.splitlines())


def message(error):
    """The first paragraph of the error's text; of a callback's report, its first and its last line."""
    text = stable(str(error)).split("--------------------")[0].strip()
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    if text.startswith("INTERNAL:"):
        first = re.sub(r" Traceback.*", "", lines[0])
        return f"{first} {lines[-1].strip()}"
    lines = text.split("\n\n")[0].splitlines()
    aside = re.compile(r"(The error occurred while|See https|To catch the leak|This \w+Tracer|The function being traced)")
    return "\n".join(line for line in lines if not aside.match(line))


def key(text):
    """The searchable part of a message: its first sentence up to the first value or Python-only spelling."""
    if text.startswith("INTERNAL:"):
        text = text.rsplit(": ", 1)[-1] if "Error: " not in text else text.split("Error: ", 1)[-1]
    sentence = re.split(r"(?<=[\w)])(?<!e\.g)\. |\.?\n|; ?", text, maxsplit=1)[0]
    cut = re.split(
        r" ?PyTreeDef| ?<| ?\((?=-?\d|\)|\*)| -?\d| '|[,:] got | but got | ?\[|: (?=[(\d])", sentence, maxsplit=1
    )[0]
    return cut.strip(" .,:")


def run(case):
    namespace = {}
    exec(PRELUDE, namespace)
    out = io.StringIO()
    answer = {}
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(case["py"], "<case>", "exec"), namespace)
            namespace["jax"].effects_barrier()
    except Exception as error:
        text = message(error)
        answer["error"] = {
            "class": case.get("class", type(error).__name__),
            "key": case.get("key", key(text)),
            "message": text,
        }
        if case.get("expect") != "error":
            print(f"unexpected {type(error).__name__} in {case['name']}: {text[:200]}", file=sys.stderr)
    else:
        if case.get("expect") == "error":
            print(f"no error in {case['name']}: {out.getvalue()[:100]}", file=sys.stderr)
    answer["stdout"] = stable(out.getvalue())
    return answer


def worker(x64, only):
    """Runs the cases of one setting of x64 and prints their answers as JSON."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    import jax

    if jax.__version__ != VERSION:
        raise SystemExit(f"needs jax=={VERSION}, found {jax.__version__}")
    jax.config.update("jax_enable_x64", x64)
    cases = [case for case in load(only) if (case.get("x64") == "on") == x64]
    json.dump({case["name"]: run(case) for case in cases}, sys.stdout)


def ask(only=None):
    """All answers, x64 off and on in a process each, sorted by name."""
    answers = {}
    for x64 in ("off", "on"):
        command = [sys.executable, __file__, "--worker", x64, only or ""]
        env = {**os.environ, "JAX_PLATFORMS": "cpu", "JAX_TRACEBACK_FILTERING": "off"}
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(done.returncode)
        answers |= json.loads(done.stdout)
    return dict(sorted(answers.items()))


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--worker"]:
        return worker(arguments[1] == "on", arguments[2] or None)
    if arguments[:1] == ["--show"]:
        for name, answer in ask(arguments[1]).items():
            print(f"## {name}")
            print(answer["stdout"])
            if error := answer.get("error"):
                print(f"!! {error['class']} | {error['key']} | {error['message']}")
        return None
    text = json.dumps({"jax": VERSION, "answers": ask()}, indent=1, ensure_ascii=False) + "\n"
    if arguments[:1] == ["--check"]:
        same = ANSWERS.exists() and ANSWERS.read_text(encoding="utf-8") == text
        raise SystemExit(0 if same else "answers.json is not what JAX answers: run record.py")
    ANSWERS.write_text(text, encoding="utf-8")
    print(f"{len(json.loads(text)['answers'])} answers")
    return None


if __name__ == "__main__":
    main()
