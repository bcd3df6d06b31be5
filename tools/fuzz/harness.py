"""Shared by the kernel tests, the fuzzer and the bench: calling clmali-rewrite, calling the
independent runner (runner.py, always as a child process, since a device may crash), and counting
memory operations with Oclgrind.

Limits: needs the programs in a build's bin folder; uses nothing of the model or the judge.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RUNNER = os.path.join(HERE, "runner.py")
MANY = os.path.join(HERE, "many.py")

# All names of refusals, as shown to users. A name that is not listed here is a defect.
REFUSALS = """cross-item-dependence data-dependent-store divergent-barrier divergent-loop staging-modified
staging-source-written staging-not-a-copy group-exchange volatile-access atomic inline-assembly local-id-use group-geometry
index-overflow narrowing-overflow opaque-construct aliasing already-vectorized unsupported-type unstructured-control
racy-original nothing-pays block-shape""".split()


def program(build, name):
    """The path of a built program, or None."""
    for folder in (build, os.path.join(build, "bin")):
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return None


def default_build():
    return os.environ.get("CLMALI_BUILD", os.path.join(ROOT, "build"))


@dataclass
class Rewrite:
    """The outcome of one call of clmali-rewrite."""
    code: int
    text: str
    seconds: float
    source: str = ""    # path of the rewritten file, if there is one
    manifest: str = ""
    passes: list = field(default_factory=list)
    refusals: list = field(default_factory=list)


def rewrite(binary, kernel, launch, folder, extra=(), timeout=300):
    """Runs clmali-rewrite on a kernel file; its outputs go to folder."""
    os.makedirs(folder, exist_ok=True)
    out, manifest = os.path.join(folder, "out.cl"), os.path.join(folder, "out.json")
    for f in (out, manifest):
        if os.path.exists(f):
            os.remove(f)
    cmd = [binary, f"--launch={launch}", "-o", out, f"--manifest={manifest}", "--explain-refusals", *extra, kernel]
    start = time.monotonic()
    try:
        p = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, errors="replace")
        code, text = p.returncode, p.stdout
    except subprocess.TimeoutExpired as e:
        code, text = 124, f"no answer after {timeout} s\n" + (e.stdout or b"").decode(errors="replace")
    r = Rewrite(code, text, time.monotonic() - start)
    if os.path.exists(out):
        r.source = out
    if os.path.exists(manifest):
        r.manifest = manifest
        try:
            with open(manifest) as f:
                r.passes = [p for k in json.load(f)["kernels"] for p in k["passes"]]
        except (ValueError, KeyError) as e:
            r.text += f"\nthe manifest cannot be read: {e}"
    r.refusals = [n for n in REFUSALS if re.search(rf"(?<![\w-]){n}(?![\w-])", text)]
    return r


def run_independently(launch, original, rewritten="", manifest="", timeout=300, prefix=(), **options):
    """The dictionary printed by the independent runner. options: platform, seed, bench, sizes, only, options."""
    cmd = [*prefix, sys.executable, RUNNER, launch, "--source", original]
    if rewritten:
        cmd += ["--rewritten", rewritten, "--manifest", manifest]
    for key, value in options.items():
        if key == "sizes":
            for s in value:
                cmd += ["--size", ",".join(f"{k}={v}" for k, v in s.items())]
        elif value:
            cmd += [f"--{key}" if value is True else f"--{key}={value}"]
    try:
        p = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, errors="replace")
    except subprocess.TimeoutExpired:
        return {"verdict": "cannot", "why": f"no answer after {timeout} s", "raw": ""}
    line = next((l for l in reversed(p.stdout.splitlines()) if l.startswith("{")), "")
    try:
        r = json.loads(line)
    except ValueError:
        r = {"verdict": "cannot", "why": f"the runner ended with {p.returncode}: {p.stderr.strip()[-300:]}"}
    r["raw"] = p.stdout
    return r


def basis(record):
    """What a held verdict rests on, from the judge's record: proved (for every size and scalar), proved-at (some sizes or
    scalars) or tested."""
    proof = record.get("generic") or {}
    if proof.get("pinned"):  # proved for the launch file's values of these scalars alone
        return "proved-at"
    if record.get("basis"):
        return record["basis"]
    if proof.get("outcome") == "proved":
        return "proved"
    at = any(c["name"] == "symbolic" and c["state"] == "passed" for c in record.get("checks", []))
    return "proved-at" if at else "tested"


def basis_of(folder):
    """The basis of the rewrite in a folder that rewrite() has filled; empty: there is no verdict."""
    try:
        with open(os.path.join(folder, "out.verdict.json")) as f:
            return basis(json.load(f)["verdicts"][0])
    except (OSError, ValueError, KeyError, IndexError):
        return ""


_COUNT = re.compile(r"^\s*(\d+) - (load|store) (global|local|constant)\b|^\s*(\d+) - call \w*?(v(?:load|store)\w*?\d|async_work_group)", re.M)


def memory_operations(launch, original, size, rewritten="", manifest=""):
    """The number of executed loads and stores (global, local, constant; a vector access counts once),
    counted by Oclgrind for one size, or None if it cannot count them."""
    if not shutil.which("oclgrind"):
        return None
    # Oclgrind 21.10 fails on some output of its own optimiser (llvm.abs): then repeat without optimisation.
    for options in ("", "-cl-opt-disable"):
        r = run_independently(launch, original, rewritten, manifest, prefix=["oclgrind", "--inst-counts"], options=options,
                              sizes=[size] if size else [], only="rewritten" if rewritten else "original", timeout=120)
        if r["verdict"] == "equal":
            text = re.sub(r"Instructions executed for kernel 'clprobe_':.*?\n\n", "", r["raw"], flags=re.S)
            return sum(int(m.group(1) or m.group(4)) for m in _COUNT.finditer(text)) or None
    return None


def fewer_operations(launch, original, sizes, rewritten, manifest):
    """Memory operations of the original divided by those of the rewritten kernel, at the first size that can be counted."""
    for size in sizes:
        before = memory_operations(launch, original, size)
        after = memory_operations(launch, original, size, rewritten, manifest) if before else None
        if after:
            return before / after
    return None


def warnings(path, options="", std="CL1.2"):
    """The diagnostics of clang for an OpenCL C file (empty: none)."""
    clang = shutil.which("clang-19") or shutil.which("clang")
    if not clang:
        return "no clang to check it with"
    args = [o for o in options.split() if o.startswith("-D")]
    p = subprocess.run([clang, "--target=spir64", f"-cl-std={std}", "-fsyntax-only", "-Wall", "-Wextra",
                        "-Wno-unused-parameter", "-Wno-sign-compare", *args, path],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    return p.stdout.strip()
