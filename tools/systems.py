#!/usr/bin/env python3
"""Figures and tables of the reference systems (the folders of kernels/).

usage: systems.py collect SYSTEM [NAME...]   rewrite, judge, compile and time the kernels; store the figures
       systems.py sizes SYSTEM SIZE...       time all forms of laplace or sgemm by size (n=64, w=768,h=432); CLBlast if there
       systems.py forms SYSTEM               compile all forms of laplace or sgemm: scalar, by hand, rewritten
       systems.py pack DEVICE FOLDER         rewrite and judge all kernels for a device, into FOLDER, for another machine
       systems.py device FOLDER              there: time original, packed and hand-written forms in turns, print a table
       systems.py sizes --packed=FOLDER ..   there: the same for all forms of laplace or sgemm by size
       systems.py plots                      draw kernels/results/plots, which kernels/results/systems.md shows
       systems.py tables [SYSTEM...]         write the tables of the systems' READMEs from the stored figures
       systems.py check [SYSTEM...]          exit 1 if a kernel changed since, or a table or plot is not what the figures give

A kernel of a system is a launch file NAME.launch.yaml whose kernel has a form by hand: KERNEL_hand.manifest.json, and
SOURCE_hand.cl for its source SOURCE.cl. The figures stand in kernels/results/systems/SYSTEM.json:

  rewrite   for each GPU family and the device at hand: the verdict, the passes or the refusals
  compiled  for each device of --devices: cost of one original work-item by Mesa's compiler (tools/compilers): cycles, for
            PowerVR instruction groups; original, first candidate of the planner, form by hand
  forms     the same for laplace and sgemm: each form by hand that states its items, the first candidate, the best of eight
  sizes     ratios as in speed, by size; for sgemm with B transposed, the time for the transposition is included
  speed     on the OpenCL device of this machine: time of the original over that of the other form, --rounds ratios each,
            original and form in one process

Compiled figures leave out paths of remainder (-DWHOLE_BLOCKS in forms by hand) and count a loop of unknown trip count 16
times, as the model does. The head of a form by hand states what it does: "// items: 4" original work-items for one of its
own, "// trips: KERNEL 4 16" the trip counts of the loops that are left.
"""
import argparse
import glob
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "fuzz"), os.path.join(HERE, "compilers")]
sys.dont_write_bytecode = True
import harness  # noqa: E402
import plots  # noqa: E402
import regret  # noqa: E402

KERNELS = os.path.join(harness.ROOT, "kernels")
STORED = os.path.join(KERNELS, "results", "systems")
FAMILIES = ("mali-midgard", "mali-bifrost", "powervr-rogue", "generic")
DOUBLE = ("mali-midgard", "generic")  # have double; Mesa compiles it for none of the devices
DEVICES = "mali-t860,mali-g52,powervr-bxs-4-64"
VERDICTS = {0: "held", 1: "refused", 2: "error", 3: "refuted", 4: "inconclusive", 124: "time-out"}


class Case:
    """A launch file, the form by hand of its kernel, and the files that the figures depend on."""

    def __init__(self, launch):
        self.launch = launch
        self.folder = os.path.dirname(launch)
        self.name = os.path.basename(launch)[:-len(".launch.yaml")]
        self.source, self.kernel, self.options = regret.read_launch(launch)
        base = os.path.join(self.folder, self.kernel + "_hand")
        self.manifest = base + ".manifest.json"
        self.hand = self.source[:-len(".cl")] + "_hand.cl"

    def inputs(self):
        """A hash of the kernels, the launch and the manifest."""
        digest = hashlib.sha256()
        for path in (self.launch, self.source, self.hand, self.manifest):
            with open(path, "rb") as f:
                digest.update(f.read() + b"\0")
        return digest.hexdigest()[:12]


def cases(system):
    found = [Case(p) for p in sorted(glob.glob(os.path.join(KERNELS, system, "*.launch.yaml")))]
    return [c for c in found if os.path.exists(c.manifest)]


def systems():
    """The folders with kernels and forms by hand, or with stored figures."""
    return [s for s in sorted(os.listdir(KERNELS))
            if os.path.exists(os.path.join(KERNELS, s, "README.md")) and (cases(s) or stored(s))]


def stored(system):
    path = os.path.join(STORED, system + ".json")
    if not os.path.exists(path):
        return {}
    with open(path) as f:
        return json.load(f)


def save(system, figures):
    """One line for each kernel and kind of figure."""
    os.makedirs(STORED, exist_ok=True)
    lines = []
    for name, entry in sorted(figures.items()):
        rows = ["    %s: %s" % (json.dumps(k), json.dumps(v, sort_keys=True)) for k, v in sorted(entry.items())]
        lines.append("  %s: {\n%s\n  }" % (json.dumps(name), ",\n".join(rows)))
    with open(os.path.join(STORED, system + ".json"), "w") as f:
        f.write("{\n" + ",\n".join(lines) + "\n}\n")


def refusals(text):
    """["atomic (vectorize)", ...]: name and pass, each once, in their order."""
    return list(dict.fromkeys(re.findall(r"^\S+:\d+:\d+: ([\w-]+ \([\w-]+\)): ", text, re.M)))


def rewrite(binary, case, family, folder):
    extra = [] if family == "generic" else ["--device=" + family]
    done = harness.rewrite(binary, case.source, case.launch, os.path.join(folder, family), extra, timeout=600)
    entry = dict(verdict=VERDICTS.get(done.code, str(done.code)))
    if done.code == 0:
        entry["passes"] = ",".join(done.passes)
    else:
        entry["refusals"] = refusals(done.text)
    return entry, done


def launch_of_form(manifest):
    """The launch file of the original of a form by hand. A form with the line "// sums: reordered" adds in another order
    than the original and has a launch file with a tolerance."""
    with open(manifest) as f:
        base = os.path.join(os.path.dirname(manifest), json.load(f)["kernels"][0]["original"])
    with open(manifest[:-len(".manifest.json")] + ".cl") as f:
        reordered = re.search(r"^// sums: reordered$", f.read(), re.M)
    return base + ("_reordered" if reordered else "") + ".launch.yaml"


def by_hand(path, kernel):
    """The form by hand as a row of regret.forms."""
    with open(path) as f:
        text = f.read()
    trips = re.search(r"^// trips: %s ([\d. ]+)$" % re.escape(kernel), text, re.M)
    return dict(passes="by hand", kernel=kernel, source="#define WHOLE_BLOCKS\n" + text,
                items=float(re.search(r"^// items: (\d+)", text, re.M).group(1)),
                trips=[float(t) for t in trips.group(1).split()] if trips else None)


def waits(row, device):
    """The loops that barriers become (PowerVR), if the kernel of the row has no others: they count once."""
    body = row["source"][row["source"].index(" %s(" % row["kernel"]):]
    end = re.search(r"^}", body, re.M)
    return len(re.findall(r"\bbarrier\(", body[:end.end() if end else None])) if (
        device.generation == "rogue" and all(isinstance(t, list) for t in row["trips"] or [])) else 0


def compiled(candidates, case, devices):
    """{device: {original, rewritten, hand}}: cost of one original work-item, or the reason for none."""
    from mesa import devices as known
    from mesa import workspace
    from mesa.store import Store
    space = workspace.Workspace()
    store, result = Store(space), {}
    for _, device in known.resolve(devices):
        rows = regret.forms(candidates, 1, device.family, case.launch)
        forms = ["original", "rewritten"][:len(rows)] + ["hand"]
        rows.append(by_hand(case.hand, case.kernel + "_hand"))
        result[device.name] = dict(zip(forms, costs_of(rows, case, device, space, store)))
    return result


def costs_of(rows, case, device, space, store):
    """For each row the cost of one original work-item on the device, or the reason for none."""
    from mesa import batch
    jobs = [batch.Job(case.source, r["source"], case.options, items=r["items"], trips=r["trips"],
                      kernels=[r["kernel"]]) for r in rows]
    costs = batch.compile_jobs(space, jobs, [(device.name, device)], store, (120, 64 << 20), 1)
    unit = "groups" if device.generation == "rogue" else "cycles"
    found = []
    for row, cost in zip(rows, costs):
        if cost["status"] != "ok":
            found.append(cost["reason"][:80])
        elif cost["loopsCountedOnce"] and cost["loops"] != waits(row, device):
            found.append("%d loops, %s trip counts" % (cost["loops"], len(row["trips"] or [])))
        else:
            found.append(round(cost["perItem"][unit], 3))
    return found


def compile_forms(args):
    """For each device the forms by hand that state their items, and candidates of the planner."""
    from mesa import devices as known
    from mesa import workspace
    from mesa.store import Store
    candidates = harness.program(args.build, "clmali-candidates")
    if not candidates:
        print("systems: clmali-candidates is not built", file=sys.stderr)
        return 2
    case = Case(os.path.join(KERNELS, args.system, args.system + ".launch.yaml"))
    hand = []
    for source in sorted(glob.glob(os.path.join(case.folder, "*.cl"))):
        with open(source) as f:
            if re.search(r"^// items: ", f.read(), re.M):
                hand.append(by_hand(source, os.path.basename(source)[:-len(".cl")]))
    space = workspace.Workspace()
    store, figures = Store(space), stored(args.system)
    for _, device in known.resolve(args.devices):
        rows = regret.forms(candidates, 8, device.name, case.launch)
        costs = costs_of(rows + hand, case, device, space, store)
        entry = {r["kernel"]: c for r, c in zip(hand, costs[len(rows):])}
        entry[case.kernel] = costs[0]
        if len(rows) > 1:
            entry["rewritten"], entry["rewritten by"] = costs[1], rows[1]["passes"]
            best = min((c, r["passes"]) for c, r in zip(costs[1:], rows[1:]) if isinstance(c, float))
            entry["best candidate"], entry["best candidate by"] = best
        figures.setdefault("forms", {})[device.name] = entry
        save(args.system, figures)
        print(device.name, flush=True)
    return 0


def ratios(case, source, manifest, rounds, platform):
    """Time of the original over that of the form, for each size of the launch file's first entry."""
    from runner import Launch
    size = {k: int(v) for k, v in Launch(case.launch).sizes[0].items()}
    found = []
    for _ in range(rounds):
        got = harness.run_independently(case.launch, case.source, source, manifest, bench=9, sizes=[size],
                                        platform=platform, timeout=300)
        run = (got.get("runs") or [{}])[0]
        if "speedup" not in run:
            return {"why": run.get("different") or got.get("why", got["verdict"])}
        found.append(round(run["speedup"], 3))
    return sorted(found)


def collect(args):
    binary, candidates = (harness.program(args.build, n) for n in ("clmali-rewrite", "clmali-candidates"))
    if not binary or not candidates:
        print("systems: clmali-rewrite or clmali-candidates is not built", file=sys.stderr)
        return 2
    figures = stored(args.system)
    for case in cases(args.system):
        if args.names and case.name not in args.names:
            continue
        work = tempfile.mkdtemp(prefix="clmali-systems-")
        entry = figures.setdefault(case.name, {})
        if entry.get("inputs") != case.inputs():  # else families and devices that are not named keep their figures
            entry.clear()
        entry["inputs"] = case.inputs()
        done = {}
        if "rewrite" in args.only:
            families = DOUBLE if "-DDOUBLE=1" in case.options else args.families.split(",")
            done = {f: rewrite(binary, case, f, work) for f in families}
            entry.setdefault("rewrite", {}).update((f, d[0]) for f, d in done.items())
        if "compiled" in args.only and "-DDOUBLE=1" not in case.options:
            entry.setdefault("compiled", {}).update(compiled(candidates, case, args.devices))
        if "speed" in args.only:
            speed = {"hand": ratios(case, case.hand, case.manifest, args.rounds, args.platform)}
            own = (done.get("generic") or rewrite(binary, case, "generic", work))[1]
            if own.code == 0:
                speed["rewritten"] = ratios(case, own.source, own.manifest, args.rounds, args.platform)
            entry["speed"] = speed
        save(args.system, figures)
        shutil.rmtree(work, ignore_errors=True)
        print(case.name, flush=True)
    return 0


def peer_program(folder):
    """CLBlast's product as a program; None: CLBlast or the compiler is not installed."""
    if not shutil.which("clang-19"):
        return None
    program = os.path.join(folder, "peer")
    done = subprocess.run(["clang-19", "-O1", "-DCL_TARGET_OPENCL_VERSION=120", "-o", program,
                           os.path.join(KERNELS, "sgemm", "peer.c"), "-lclblast", "-lOpenCL"], capture_output=True, text=True)
    return program if done.returncode == 0 else None


def peer_time(program, order, runs):
    """[milliseconds], or []."""
    done = subprocess.run([program, str(order), str(runs)], capture_output=True, text=True) if program else None
    return [float(done.stdout)] if done and done.returncode == 0 else []


def one_run(launch, args, size, source="", manifest=""):
    """The runner's entry for one size, with times in seconds; {}: not measured."""
    got = harness.run_independently(launch, Case(launch).source, source, manifest, bench=args.bench, sizes=[size],
                                    platform=args.platform, timeout=600)
    return (got.get("runs") or [{}])[0]


def size_row(forms, peer_at, args, size):
    """{form: ratios of the scalar kernel's time to that of the form}, for one size. forms: {name: (launch file of its
    original, source, manifest)}."""
    rows, seconds, scalar = {}, {}, []
    transpose = os.path.join(KERNELS, args.system, "transpose.launch.yaml")
    for _ in range(args.rounds):
        for name, (of, path, manifest) in forms.items():
            run = one_run(of, args, size, path, manifest)
            if "speedup" not in run:
                continue
            if Case(of).kernel == args.system:
                rows.setdefault(name, []).append(run["speedup"])
                scalar.append(run["original"])
                continue
            # A form of a product that needs B transposed: with the time for that, and over the median of the scalar times.
            before = one_run(transpose, args, size).get("original", math.nan)
            seconds.setdefault(name, []).append(before + run["rewritten"])
            seconds.setdefault(Case(of).kernel, []).append(before + run["original"])
        seconds.setdefault("CLBlast", []).extend(t / 1e3 for t in peer_time(peer_at, size.get("n"), args.bench))
    for name, times in seconds.items() if scalar else ():
        rows[name] = [plots.median(sorted(scalar)) / t for t in times if t > 0]
    return {name: sorted(round(r, 3) for r in ratios) for name, ratios in rows.items() if ratios}


def sizes(args):
    """For each size: ratios of the scalar kernel's time to that of each form, in turns."""
    folder = os.path.join(KERNELS, args.system)
    launch, source = (os.path.join(folder, args.system + end) for end in (".launch.yaml", ".cl"))
    forms = {os.path.basename(m)[:-len(".manifest.json")]: (launch_of_form(m), m[:-len(".manifest.json")] + ".cl", m)
             for m in sorted(glob.glob(os.path.join(folder, "*.manifest.json")))}
    work = tempfile.mkdtemp(prefix="clmali-systems-")
    peer_at = peer_program(work) if args.system == "sgemm" else None
    if args.packed:
        packed = os.path.join(args.packed, args.system)
        forms["rewritten"] = (launch, packed + ".cl", packed + ".json")
    else:
        own = harness.rewrite(harness.program(args.build, "clmali-rewrite"), source, launch, work, [], timeout=600)
        forms["rewritten (%s)" % ",".join(own.passes)] = (launch, own.source, own.manifest)
    figures = {} if args.packed else stored(args.system)
    for text in args.sizes:
        size = {k: int(v) for k, v in (pair.split("=") for pair in text.split(","))}
        figures["sizes"] = dict(figures.get("sizes", {}), **{text: size_row(forms, peer_at, args, size)})
        if not args.packed:
            save(args.system, figures)
            print(text, flush=True)
    if args.packed:
        print("\n".join(sizes_table(figures)))
    shutil.rmtree(work, ignore_errors=True)
    return 0


def all_cases():
    """Every kernel with a form by hand, and the scalar kernels of laplace and sgemm with the best of theirs."""
    found = [case for system in systems() for case in cases(system)]
    for system, form in (("laplace", "laplace_4x8"), ("sgemm", "sgemm_8x8")):
        case = Case(os.path.join(KERNELS, system, system + ".launch.yaml"))
        base = os.path.join(KERNELS, system, form)
        case.hand, case.manifest = base + ".cl", base + ".manifest.json"
        found.append(case)
    return found


def pack(args):
    binary = harness.program(args.build, "clmali-rewrite")
    os.makedirs(args.folder, exist_ok=True)
    for case in all_cases():
        if args.names and case.name not in args.names:
            continue
        work = tempfile.mkdtemp(prefix="clmali-systems-")
        done = harness.rewrite(binary, case.source, case.launch, work, ["--device=" + args.device], timeout=600)
        if done.code == 0:
            shutil.copy(done.source, os.path.join(args.folder, case.name + ".cl"))
            shutil.copy(done.manifest, os.path.join(args.folder, case.name + ".json"))
        print("%s: %s %s" % (case.name, VERDICTS.get(done.code), ",".join(done.passes)), flush=True)
        shutil.rmtree(work, ignore_errors=True)
    return 0


def on_device(args):
    """Needs Python with yaml, OpenCL and this script's folder, but none of the programs."""
    from importlib.machinery import SourceFileLoader
    busy_size = SourceFileLoader("bench", os.path.join(HERE, "bench")).load_module().busy_size
    print("| kernel | size | original, ms | rewritten | by hand |\n|---|---|---|---|---|")
    for case in all_cases():
        size = busy_size(case.launch, case.source, args.platform)
        forms = {"rewritten": (os.path.join(args.folder, case.name + ".cl"), os.path.join(args.folder, case.name + ".json")),
                 "hand": (case.hand, case.manifest)}
        rows, original = {f: [] for f in forms}, []
        for _ in range(args.rounds):
            for form, (source, manifest) in forms.items():
                if not os.path.exists(source):
                    continue
                got = harness.run_independently(case.launch, case.source, source, manifest, bench=9, sizes=[size],
                                                platform=args.platform, timeout=300)
                run = (got.get("runs") or [{}])[0]
                if "speedup" in run:
                    rows[form].append(run["speedup"])
                    original.append(run["original"] * 1e3)
        cells = [speed_text(sorted(rows[f])) for f in forms]
        print("| `%s` | %s | %s | %s |" % (case.name, ", ".join("%s=%s" % p for p in size.items()),
                                          number(min(original), 3) if original else "-", " | ".join(cells)), flush=True)
    return 0


def sizes_table(figures):
    measured = {s: figures["sizes"][s] for s in sorted(figures["sizes"], key=plots.pixels)}
    forms = sorted({f for rows in measured.values() for f in rows}, key=lambda f: (not f[0].isupper(), f))
    lines = ["| form | " + " | ".join(s.replace(",", ", ") for s in measured) + " |", "|---" * (len(measured) + 1) + "|"]
    for form in forms:
        lines.append("| %s | %s |" % (form, " | ".join(speed_text(rows.get(form)) for rows in measured.values())))
    return lines


def forms_table(figures):
    devices = sorted(figures["forms"], reverse=True)
    forms = list(dict.fromkeys(f for of in figures["forms"].values() for f in of if not f.endswith(" by")))
    forms.sort(key=lambda f: (f in ("rewritten", "best candidate"), f == "best candidate", f))
    lines = ["| form | " + " | ".join(devices) + " |", "|---" * (len(devices) + 1) + "|"]
    for form in forms:
        cells = []
        for device in devices:
            of = figures["forms"][device]
            by = of.get(form + " by")
            cells.append(number(of.get(form)) + (" (%s)" % by if by else ""))
        lines.append("| %s | %s |" % (form, " | ".join(cells)))
    return lines


def number(value, digits=2):
    return "%.*f" % (digits, value) if isinstance(value, (int, float)) else "-"


def gain(entry, form):
    """Cost of the original over that of the form; None where a figure is missing. Without a rewrite, 1."""
    a, b = entry.get("original"), entry.get(form, entry.get("original") if form == "rewritten" else None)
    return a / b if isinstance(a, (int, float)) and isinstance(b, (int, float)) and b else None


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def speed_text(value):
    """The median of the ratios, with the smallest and the largest."""
    if not isinstance(value, list) or not value:
        return "-"
    return "%.2f (%.2f-%.2f)" % (value[len(value) // 2], value[0], value[-1])


def rewrite_table(figures):
    families = [f for f in FAMILIES if any(f in e["rewrite"] for e in figures.values())]
    lines = ["| kernel | " + " | ".join(families) + " |", "|---" * (len(families) + 1) + "|"]
    for name, entry in sorted(figures.items()):
        cells = []
        for family in families:
            r = entry["rewrite"].get(family)
            cells.append("%s: %s" % (r["verdict"], r.get("passes") or "; ".join(r["refusals"])) if r else "-")
        lines.append("| `%s` | %s |" % (name, " | ".join(cells)))
    return lines


def compiled_table(figures):
    devices = sorted({d for e in figures.values() for d in e["compiled"]})
    lines = ["| kernel | " + " | ".join("%s: original, gain rewritten, by hand" % d for d in devices) + " |",
             "|---" * (len(devices) + 1) + "|"]
    gains = {(d, f): [] for d in devices for f in ("rewritten", "hand")}
    for name, entry in sorted(figures.items()):
        cells = []
        for device in devices:
            e = entry["compiled"][device]
            both = [gain(e, f) for f in ("rewritten", "hand")]
            if all(both):
                for f, g in zip(("rewritten", "hand"), both):
                    gains[device, f].append(g)
            cells.append("%s, %s, %s" % (number(e["original"]), number(both[0]), number(both[1])))
        lines.append("| `%s` | %s |" % (name, " | ".join(cells)))
    cells = ["-, **%s**, **%s**" % (number(mean(gains[d, "rewritten"])), number(mean(gains[d, "hand"]))) for d in devices]
    return lines + ["| geometric mean | " + " | ".join(cells) + " |"]


def speed_table(figures):
    lines = ["| kernel | rewritten | by hand |", "|---|---|---|"]
    for name, entry in sorted(figures.items()):
        s = entry["speed"]
        lines.append("| `%s` | %s | %s |" % (name, speed_text(s.get("rewritten")), speed_text(s.get("hand"))))
    both = [(s["rewritten"], s["hand"]) for s in (e["speed"] for e in figures.values())
            if all(isinstance(s.get(f), list) and s[f] for f in ("rewritten", "hand"))]
    means = [number(mean([pair[i][len(pair[i]) // 2] for pair in both])) for i in (0, 1)]
    return lines + ["| geometric mean of medians | **%s** | **%s** |" % tuple(means)]


TABLES = {"rewrite": rewrite_table, "compiled": compiled_table, "speed": speed_table, "sizes": sizes_table, "forms": forms_table}


def with_tables(text, figures):
    """The README with its tables replaced: between <!-- table NAME --> and <!-- /table -->."""
    def table(match):
        name = match.group(1)
        known = figures if name in figures else {n: e for n, e in figures.items() if name in e}
        return "<!-- table %s -->\n%s\n<!-- /table -->" % (name, "\n".join(TABLES[name](known)))
    return re.sub(r"<!-- table (\w+) -->\n.*?<!-- /table -->", table, text, flags=re.S)


def readme(system):
    path = os.path.join(KERNELS, system, "README.md")
    with open(path) as f:
        return path, f.read()


def tables(args):
    for system in args.systems or systems():
        path, text = readme(system)
        with open(path, "w") as f:
            f.write(with_tables(text, stored(system)))
    return 0


def draw(args):
    os.makedirs(plots.FOLDER, exist_ok=True)
    for name, text in plots.all_plots().items():
        with open(os.path.join(plots.FOLDER, name), "w") as f:
            f.write(text)
    return 0


def stale_plots():
    def text(path):
        if not os.path.exists(path):
            return None
        with open(path) as f:
            return f.read()
    return [name for name, drawn in plots.all_plots().items() if text(os.path.join(plots.FOLDER, name)) != drawn]


def check(args):
    wrong = ["%s is not what the figures give: tools/systems.py plots" % name for name in stale_plots()]
    for system in args.systems or systems():
        figures = stored(system)
        path, text = readme(system)
        if with_tables(text, figures) != text:
            wrong.append("%s: tables are not those of the figures: tools/systems.py tables" % path)
        for case in cases(system):
            if figures.get(case.name, {}).get("inputs") != case.inputs():
                wrong.append("%s changed: tools/systems.py collect %s %s" % (case.name, system, case.name))
    print("\n".join(wrong))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=harness.default_build())
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("collect")
    command.add_argument("system")
    command.add_argument("names", nargs="*")
    command.add_argument("--only", nargs="*", default=["rewrite", "compiled", "speed"])
    command.add_argument("--devices", default=DEVICES)
    command.add_argument("--families", default=",".join(FAMILIES))
    command.add_argument("--platform", default="")
    command.add_argument("--rounds", type=int, default=3)
    command.set_defaults(run=collect)
    command = commands.add_parser("pack")
    command.add_argument("device")
    command.add_argument("folder")
    command.add_argument("names", nargs="*")
    command.set_defaults(run=pack)
    command = commands.add_parser("device")
    command.add_argument("folder")
    command.add_argument("--platform", default="")
    command.add_argument("--rounds", type=int, default=5)
    command.set_defaults(run=on_device)
    command = commands.add_parser("sizes")
    command.add_argument("system", choices=["laplace", "sgemm"])
    command.add_argument("sizes", nargs="+")
    command.add_argument("--packed", help="folder of pack: print a table for this device, store nothing")
    command.add_argument("--platform", default="")
    command.add_argument("--rounds", type=int, default=3)
    command.add_argument("--bench", type=int, default=3)
    command.set_defaults(run=sizes)
    command = commands.add_parser("forms")
    command.add_argument("system", choices=["laplace", "sgemm"])
    command.add_argument("--devices", default=DEVICES)
    command.set_defaults(run=compile_forms)
    command = commands.add_parser("plots")
    command.set_defaults(run=draw)
    for name, run in (("tables", tables), ("check", check)):
        command = commands.add_parser(name)
        command.add_argument("systems", nargs="*")
        command.set_defaults(run=run)
    args = parser.parse_args()
    if hasattr(args, "only"):  # options may stand between the names
        args.only = [o for o in args.only if o in TABLES] or list(TABLES)
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main())
