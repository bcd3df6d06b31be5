"""Shows that a planted fault changes a result: searches a size at which the independent runner
(tools/fuzz/runner.py) finds a difference between the original and the mutant.

A mutant for which none is found may be equivalent, or differ only at sizes beyond these limits, or
only in the order of work-items (a race).
"""
import json
import os
import sys

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz"))
import harness  # noqa: E402
import runner   # noqa: E402
from sizes import Sizes  # noqa: E402

MOST_SIZES = 6  # in one run of the runner


def changed_launch(launch, fault, folder):
    """The launch file with the scalar, local size or contents that the trigger needs; its path."""
    doc = yaml.load(yaml.dump(launch.doc), yaml.BaseLoader)
    t = fault.trigger
    for a in doc.get("args") or []:
        if t.scalar and a["name"] == t.scalar[0]:
            a["value"] = str(t.scalar[1])
        if a["name"] in t.data:
            name = os.path.join(folder, "pattern.bin")
            with open(name, "wb") as f:
                f.write(t.data[a["name"]] * ((4 << 20) // len(t.data[a["name"]])))
            a["data"] = {"file": name}
        elif isinstance(a.get("data"), dict) and "file" in a["data"]:
            a["data"]["file"] = os.path.join(launch.where, a["data"]["file"])
    if t.local:
        doc["local"] = [str(c) for c in t.local] + ["1"] * (len(doc["global"]) - len(t.local))
    path = os.path.join(folder, "witness.launch.yaml")
    with open(path, "w") as f:
        yaml.dump(doc, f)
    return path


def sizes(launch, manifest, fault):
    """Sizes at which the fault may show: that of the trigger, its neighbours, and the listed ones."""
    at = Sizes(launch, manifest, fault.kernel, None)
    first = {k: int(v) for k, v in fault.trigger.size.items()}
    out = [first] + [{**first, k: first[k] + d} for k in sorted(first) for d in (1, 16, 64)]
    out += [{k: int(v) for k, v in s.items()} for s in launch.sizes]
    found = []
    for size in out:
        if size not in found and at.of({k: str(v) for k, v in size.items()}):
            found.append(size)
    return found


def search(launch_path, original_path, rewritten, fault, folder):
    """(outcome, text): "differs" with the size, "base" if the unchanged rewrite differs there too,
    "does not build", or "none"."""
    mutant, manifest = os.path.join(folder, "mutant.cl"), os.path.join(folder, "mutant.json")
    path = changed_launch(runner.Launch(launch_path), fault, folder)
    launch = runner.Launch(path)
    # A fault of the manifest may be that no launch takes place: the sizes are those of the rewrite.
    with open(rewritten[1], encoding="utf-8") as f:
        found = sizes(launch, json.load(f), fault)
    for start in range(0, len(found), MOST_SIZES):
        some = found[start:start + MOST_SIZES]
        got = harness.run_independently(path, original_path, mutant, manifest, sizes=some, timeout=120)
        if "build failed" in got.get("why", ""):
            return "does not build", got["why"]
        crashed = "runner ended with" in got.get("why", "") or "no launch" in got.get("why", "")
        if got["verdict"] != "different" and not crashed:
            continue
        base = harness.run_independently(path, original_path, rewritten[0], rewritten[1], sizes=some,
                                         timeout=120)
        why = next((x["different"] for x in got.get("runs", []) if "different" in x), got.get("why", ""))
        if base["verdict"] == "different":
            return "base", next(x["different"] for x in base["runs"] if "different" in x)
        if base["verdict"] == "equal":
            return "differs", why
    return "none", f"{len(found)} sizes"
