#!/usr/bin/env python3
"""Lints what the rewriter makes of the golden kernels, or counts its lines.

Each golden kernel that is not expected to be refused is planned for its device (bifrost for generic, which has
no findings), without the judge. The chosen form is linted for that device with the launches that its
manifest makes of the first size of the launch file, as a recording has them. A warning of a rule whose page
names a rewriter fails, with `run=` only where one of these passes is that rewriter.

clean.txt lists what is known: kernel, device, rule, reason. An entry that is not found any more fails, too.

  outputs.py             lint
  outputs.py --lines     lines of each rewritten kernel over those of the original, and the median;
                         lines that are blank or hold only a comment do not count
  outputs.py --keep=DIR  keep the outputs there

Exit: 0, 1 for a finding or an entry too many, 2 if nothing could be run."""
import argparse
import collections
import importlib.machinery
import importlib.util
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
loader = importlib.machinery.SourceFileLoader("golden", os.path.join(HERE, "run"))
golden = importlib.util.module_from_spec(importlib.util.spec_from_loader("golden", loader))
loader.exec_module(golden)
harness, runner = golden.harness, golden.runner

KNOWN = os.path.join(HERE, "clean.txt")


class Output:
    """A golden kernel, what is planned for it, and what was made of it."""

    def __init__(self, case):
        self.case = case
        self.device = "mali-bifrost" if case.expect.device == "generic" else case.expect.device
        limits = [f"{key}={','.join(case.expect.options[key])}" for key in ("run", "fp") if key in case.expect.options]
        self.limited = {p.split(":")[0] for p in case.expect.options.get("run", [])}
        self.key = (" ".join([case.name, *limits]).replace(" ", ";"), self.device)
        self.source, self.kernels, self.folder, self.error = "", [], "", ""

    def arguments(self):
        return [f"--device={self.device}"] + [a for a in self.case.expect.arguments() if not a.startswith("--device")]


def outputs(pattern):
    """One for each kernel, device and limit."""
    found = {}
    for case in golden.collect(pattern):
        if case.expect.kind != "refused":
            output = Output(case)
            found.setdefault(output.key, output)
    return list(found.values())


def geometry(launch):
    """The names that a manifest may use, for the first size that the launch file allows."""
    size = next((s for s in launch.sizes if launch.allowed(launch.names(s))), launch.sizes[0])
    names, env = launch.names(size), {}
    for key, letter, default in (("global", "g", 1), ("local", "l", 0), ("offset", "o", 0)):
        values = [runner.evaluate(e, names) for e in launch.doc.get(key) or []]
        for i, axis in enumerate("xyz"):
            env[letter + axis] = values[i] if i < len(values) else 1 if key == "local" and values else default
    for a in launch.doc.get("args") or []:
        if "value" in a:
            try:
                env[a["name"]] = runner.evaluate(a["value"], names)
            except runner.Expr:
                pass  # a floating-point number
    return env


def recorded(manifest, launch):
    """launches.json: what the host launches in place of the original."""
    env, lines = geometry(launch), []
    for entry in manifest["kernels"]:
        for l in entry["launches"]:
            if not runner.evaluate(l.get("when") or "1", env):
                continue
            line = {"kernel": l["kernel"], "global": [runner.evaluate(e, env) for e in l["global"]]}
            local = [runner.evaluate(e, env) for e in l.get("local") or []]
            if local and 0 not in local:
                line["local"] = local
            if 0 not in line["global"]:
                lines.append(json.dumps({**line, "launches": 1, "milliseconds": 1}))
    return '{"options": %s, "launches": [\n%s\n]}\n' % (json.dumps(launch.doc.get("options", "")), ",\n".join(lines))


def plan(output, program, work):
    """Plans a kernel; writes it as a program of a recording, in a folder for each device."""
    launch = runner.Launch(output.case.launch)
    name = re.sub(r"[/;=,]", ".", output.key[0])
    output.folder = os.path.join(work, output.device, name)
    os.makedirs(output.folder)
    with tempfile.TemporaryDirectory() as made:
        done = subprocess.run([program, made, "1", "0", *output.arguments(), f"--launch={output.case.launch}", output.case.path],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        if done.returncode not in (0, 1):
            output.error = f"exit {done.returncode}: {done.stderr.strip()[-300:]}"
        if done.returncode != 0:
            os.rmdir(output.folder)
            return
        with open(os.path.join(made, "0.cl")) as f:
            output.source = f.read()
        with open(os.path.join(made, "0.json")) as f:
            manifest = json.load(f)
    original = manifest["kernels"][0]["original"]
    output.kernels = sorted({l["kernel"] for l in manifest["kernels"][0]["launches"]} - {original}) or [original]
    files = {"program.cl": output.source, "launches.json": recorded(manifest, launch)}
    if launch.doc.get("defines"):
        files[".clmali.yaml"] = "defines:\n" + "".join(f"  {k}: {json.dumps(v)}\n" for k, v in launch.doc["defines"].items())
    for file, text in files.items():
        with open(os.path.join(output.folder, file), "w") as f:
            f.write(text)


def rewriters():
    """{rule: the passes that its page names}"""
    found = {}
    for page in os.listdir(os.path.join(ROOT, "rules")):
        if page.endswith(".md"):
            with open(os.path.join(ROOT, "rules", page)) as f:
                named = re.search(r"^rewriter: *(.*)$", f.read(), re.M)
            if named:
                found[page[:-3]] = set(re.split(r"[,\s]+", named.group(1)))
    return found


def lint(found, program, work):
    """{(kernel, device, rule): lines} of all warnings."""
    named = rewriters()
    warnings, problems = collections.defaultdict(list), []
    for device in sorted({o.device for o in found}):
        done = subprocess.run([program, f"--device={device}", "--no-cache", "--format=json", "--file-timeout=60",
                               "--checks=-*," + ",".join(sorted(named)), f"--recording={os.path.join(work, device)}"],
                              stdout=subprocess.PIPE, text=True)
        report = json.loads(done.stdout)
        problems += [f"{e['file']}:{e['line']}: {e['message']}" for e in report["errors"]]
        by_folder = {os.path.abspath(o.folder): o for o in found}
        for f in report["findings"]:
            if f["severity"] == "info":
                continue
            output = by_folder[os.path.dirname(os.path.abspath(f["file"]))]
            if not output.limited or output.limited & named[f["rule"]]:
                warnings[(*output.key, f["rule"])].append(f"{f['file']}:{f['line']}: {f['message']}")
    return warnings, problems


def known():
    entries = {}
    with open(KNOWN) as f:
        for line in f:
            words = line.split("#")[0].split(None, 3)
            if words and len(words) != 4:
                raise ValueError(f"{KNOWN}: '{line.strip()}' is not: kernel device rule reason")
            if words:
                entries[tuple(words[:3])] = words[3].strip()
    return entries


def kernel_lines(text, name):
    """Lines of code of a kernel's definition."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    at = re.search(r"^[^\n;}]*\b(?:__)?kernel\b[^;{}]*?\b%s\s*\(" % re.escape(name), code, re.M)
    if not at:
        return 0
    end, depth = code.index("{", at.end()), 0
    while True:
        depth += (code[end] == "{") - (code[end] == "}")
        end += 1
        if not depth:
            break
    return sum(1 for line in code[at.start():end].splitlines() if line.strip())


def report_lines(found):
    rows = []
    for o in found:
        with open(o.case.path) as f:
            before = kernel_lines(f.read(), runner.Launch(o.case.launch).kernel)
        after = sum(kernel_lines(o.source, k) for k in o.kernels)
        if before and after:
            rows.append((after / before, after, before, " ".join(o.key)))
    for ratio, after, before, name in sorted(rows):
        print(f"{ratio:6.2f}  {after:4} of {before:4}  {name}")
    ratios = [r[0] for r in rows]
    print(f"{len(rows)} kernels: median {statistics.median(ratios):.2f}, "
          f"{sum(r < 2.5 for r in ratios)} below 2.5, all lines {sum(r[1] for r in rows) / sum(r[2] for r in rows):.2f}")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--build", default=harness.default_build())
    p.add_argument("--filter", default="*", help="only kernels whose class/name matches this pattern")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    p.add_argument("--lines", action="store_true")
    p.add_argument("--keep", metavar="DIR")
    args = p.parse_args()
    candidates, linter = harness.program(args.build, "clmali-candidates"), harness.program(args.build, "clmali-lint")
    found = outputs(args.filter)
    if not candidates or not linter or not found:
        print(f"clmali-candidates and clmali-lint must be built in {args.build}" if found else "no kernel matches", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="clmali-outputs-") as temporary:
        work = args.keep or temporary
        with ThreadPoolExecutor(args.jobs) as pool:
            list(pool.map(lambda o: plan(o, candidates, work), found))
        failures = [f"{' '.join(o.key)}: {o.error}" for o in found if o.error]
        made = [o for o in found if o.source]
        if args.lines:
            report_lines(made)
            return 0
        warnings, problems = lint(made, linter, work)
    entries = {k: v for k, v in known().items() if args.filter == "*" or k[0].split(";")[0] in {o.case.name for o in found}}
    for key, lines in sorted(warnings.items()):
        if key not in entries:
            failures += [f"{' '.join(key)}: {lines[0]}"]
    failures += problems
    failures += [f"{' '.join(key)}: no such finding any more: remove it from clean.txt" for key in sorted(entries.keys() - warnings.keys())]
    print(f"{len(made)} of {len(found)} kernels are rewritten; {len(entries)} findings are known")
    for rule, count in sorted(collections.Counter(k[2] for k in warnings).items()):
        print(f"  {rule}: {count}")
    for failure in failures:
        print("FAIL:", failure)
    return 1 if failures or not made else 0


if __name__ == "__main__":
    sys.exit(main())
