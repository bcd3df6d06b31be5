"""Chosen form, best candidate and hand-written reference of the kernels of test/forms, by the compilers.

Each folder of test/forms is one computation: launch.yaml, one .cl file for each spelling, and reference.cl, whose head
test/forms/references.py describes.
"""
import glob
import math
import os

import regret
from mesa import batch, devices, workspace
from mesa.store import Store

FORMS = os.path.join(regret.ROOT, "test", "forms")
LIMITS = (60, 64 << 20)


def head(text, key, default=""):
    """The text behind "// key: " in the head of a reference."""
    for line in text.split("\n"):
        if line.startswith("// %s: " % key):
            return line.split(": ", 1)[1]
    return default


def block(text):
    """The original work-items that one work-item does, in each dimension."""
    return [int(n) for n in head(text, "block").split("x")]


def _reference(folder, rows):
    """The row of reference.cl; its loops run 1/steps of the original's."""
    with open(os.path.join(folder, "reference.cl")) as f:
        text = f.read()
    steps = float(head(text, "steps", "1"))
    trips = [t / steps for t in rows[0]["trips"]] if rows[0]["trips"] else None
    return dict(rows[0], passes="reference", source=text, items=float(math.prod(block(text))), trips=trips)


class Spelling:
    """costs: of the original, the candidates in their order, and the reference; None: no figure."""

    def __init__(self, folder, name, rows, costs):
        self.folder, self.name, self.rows = folder, name, rows
        self.original, self.reference = costs[0], costs[-1]
        self.candidates = costs[1:-1]
        # Where nothing pays, the original is what the user keeps.
        self.chosen = self.candidates[0] if self.candidates else self.original
        self.best = min((c for c in costs[:-1] if c), default=None)
        self.passes = rows[1]["passes"] if self.candidates else "nothing pays"


def measure(program, device, names, most, workers):
    """Spelling objects for a device."""
    space = workspace.Workspace()
    store, jobs, made = Store(space), [], []
    for folder in sorted(glob.glob(os.path.join(FORMS, "*", ""))):
        name = os.path.basename(os.path.dirname(folder))
        if names and name not in names:
            continue
        for path in sorted(glob.glob(os.path.join(folder, "*.cl"))):
            spelling = os.path.basename(path)[:-len(".cl")]
            if spelling == "reference":
                continue
            rows = regret.forms(program, most, device.family, os.path.join(folder, "launch.yaml"), path)
            rows.append(_reference(folder, rows))
            made.append((name, spelling, rows))
            jobs += [batch.Job(path, r["source"], [], items=r["items"], trips=r["trips"], kernels=[r["kernel"]])
                     for r in rows]
    figures = iter(batch.compile_jobs(space, jobs, [(device.name, device)], store, LIMITS, workers))
    unit = "groups" if device.generation == "rogue" else "cycles"
    for name, spelling, rows in made:
        costs = []
        for _ in rows:
            f = next(figures)
            costs.append(f.get("perItem", {}).get(unit) if f["status"] == "ok" else None)
        yield Spelling(name, spelling, rows, costs)


def _mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def bench(program, device_names, names=(), most=6, workers=2):
    """Prints the table: costs for one original work-item, ratios, and the spread between the spellings of a kernel."""
    for _, device in devices.resolve(device_names):
        print("%-18s %-16s %-14s %9s %9s %9s %9s %8s  %s" % (
            "device", "kernel", "spelling", "original", "chosen", "best", "by hand", "ch/hand", "passes"))
        over, spreads, folders = [], [], {}
        for s in measure(program, device, names, most, workers):
            ratio = s.chosen / s.reference if s.chosen and s.reference else None
            show = lambda x: "%9.2f" % x if x else "%9s" % "-"  # noqa: E731
            print("%-18s %-16s %-14s %s %s %s %s %s  %s" % (
                device.name, s.folder, s.name, show(s.original), show(s.chosen), show(s.best), show(s.reference),
                show(ratio)[1:], s.passes), flush=True)
            over += [ratio] if ratio else []
            folders.setdefault(s.folder, []).append(s.chosen)
        for costs in folders.values():
            if len(costs) > 1 and all(costs):
                spreads.append(max(costs) / min(costs))
        print("%-18s chosen over reference: mean %.2f, worst %.2f; within 1.2: %d of %d; "
              "worst spelling over best: mean %.2f, worst %.2f" % (
                  device.name, _mean(over), max(over, default=float("nan")), sum(r <= 1.2 for r in over), len(over),
                  _mean(spreads), max(spreads, default=float("nan"))), flush=True)
