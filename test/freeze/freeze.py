#!/usr/bin/env python3
"""Records what clmali-lint reports and what the planner proposes, and compares two such records. A change
that is only a restructuring must leave the record as it is.

  freeze.py record --build=BUILD OUT [--kernels=DIR]... [--families=LIST|--all-families]
                           [--part=lint|candidates|all] [--jobs=N] [--root=DIR]
  freeze.py compare OLD NEW [--ignore-text] [--part=lint|candidates|all] [--show=N]
  freeze.py --self-test

`record` runs the programs of BUILD/bin over the test inputs of the repository and over the kernel files of
each DIR. It writes one file (a unit) for each input, and OUT/index.json with the SHA-256 of each unit:

  OUT/lint/all/PATH.json           findings, notes and errors without --device
  OUT/lint/FAMILY/PATH.json        kernel files once more, with --device=FAMILY
  OUT/lint/programs/FOLDER.json    the host and kernel files of a folder, linted together
  OUT/lint/*/other-files.json      what was reported in other files (headers) when several kernel files
                                   were linted in one run, and unexpected exit codes of these runs
  OUT/candidates/FAMILY/PATH.txt   refusals and all candidates (source and manifest) of a kernel

Candidates are planned for two families of each kernel, which a hash of its path selects. --all-families
plans for all five and takes two and a half times as long. --families=LIST plans and lints for LIST.

Kernel files are linted many at a time without any host file, host files one at a time. RUN lines are
not read. A crash, or a run beyond its limit of CPU time, is recorded as such for the input that causes it.
Paths are relative to the repository or to DIR (DIR number N: outside-N/PATH). Kernels are linted
together with the declarations of sibling files, also of the three folders above, so DIR should lie in a
folder that holds no other sources.

To compare two states of the repository whose test inputs differ, record both with the inputs of one:
--root=DIR takes test/ and kernels/ of another checkout.

`compare` prints which units differ, the first N as unified diffs. With --ignore-text, which is for changes
of wording, it does not compare messages, the words of refusals and obligations, and comment lines of
candidates.

Exit: 0 recorded, or equal; 1 a unit differs or is in one record only; 2 usage, an empty or damaged
record, or programs that report nothing at all.
"""
import argparse
import collections
import difflib
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FAMILIES = ["mali-midgard", "mali-bifrost", "mali-valhall", "powervr-rogue", "generic"]
VECTOR_BITS = {"generic": 256}  # 0: as the family's; "generic" has none of its own
MOST_CANDIDATES = 12
FILES_PER_RUN = 32
CPU_SECONDS = 120  # of one run; beyond it, the run is stopped
KERNEL_SUFFIXES = {".cl", ".ocl", ".clh", ".opencl"}  # what clmali-lint takes of a folder
HOST_SUFFIXES = {".c", ".cpp", ".h", ".hpp", ".inl"}
# Collections of unrelated files; every other folder with a host file is linted as one program, too.
COLLECTIONS = {"test", "test/lint", "test/lint/Inputs", "test/rules", "test/rules/Inputs"}


class Unusable(Exception):
    """Nothing can be recorded or compared: exit code 2."""


# ---------------------------------------------------------------------------------------------------
# Running programs
# ---------------------------------------------------------------------------------------------------

Done = collections.namedtuple("Done", "code out stopped")


def run(command, folder):
    """Exit code, standard output, and why the program was stopped ("": it was not). The limit counts CPU
    time, so that a busy machine does not change the record."""
    limited = ["sh", "-c", 'ulimit -c 0; ulimit -t "$0"; exec "$@"', str(CPU_SECONDS), *map(str, command)]
    environment = dict(os.environ, LC_ALL="C", NO_COLOR="1")
    try:
        p = subprocess.run(limited, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, timeout=30 * CPU_SECONDS)
    except subprocess.TimeoutExpired:
        return Done(None, "", "no answer")
    stopped = ""
    if p.returncode in (-24, -9):  # SIGXCPU, and SIGKILL at the hard limit
        stopped = "more than %d s of CPU time" % CPU_SECONDS
    elif p.returncode < 0:
        stopped = "signal %d" % -p.returncode
    return Done(p.returncode, p.stdout.decode("utf-8", "replace"), stopped)


def program(build, name):
    path = pathlib.Path(build).resolve() / "bin" / name
    if not os.access(path, os.X_OK):
        raise Unusable("there is no program %s" % path)
    return path


class Record:
    """A folder of units."""

    def __init__(self, folder):
        self.folder, self.sums = pathlib.Path(folder), {}
        if (self.folder / "index.json").is_file():
            for part in ("lint", "candidates"):
                shutil.rmtree(self.folder / part, ignore_errors=True)
        elif self.folder.exists() and any(self.folder.iterdir()):
            raise Unusable("%s is not empty and no record" % folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "index.json").write_text("{}\n")  # until it is finished, the record is an empty one

    def add(self, key, text):
        if key in self.sums:
            raise Unusable("two units have the name %s" % key)
        path = self.folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        path.write_bytes(data)
        self.sums[key] = hashlib.sha256(data).hexdigest()

    def finish(self):
        (self.folder / "index.json").write_text(json.dumps(self.sums, indent=0, sort_keys=True) + "\n")


def as_json(value):
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


# ---------------------------------------------------------------------------------------------------
# Inputs
# ---------------------------------------------------------------------------------------------------


def files_below(root, folders=(".",)):
    """Paths relative to root, sorted; nothing hidden."""
    found = []
    for folder in folders:
        for path, names, files in os.walk(root / folder):
            names[:] = sorted(n for n in names if not n.startswith((".", "__pycache__")))
            found += [(pathlib.Path(path) / f).relative_to(root).as_posix() for f in files if not f.startswith(".")]
    return sorted(found)


def is_kernel_file(path):
    return pathlib.PurePath(path).suffix in KERNEL_SUFFIXES


def is_host_input(path):
    """A C or C++ file that tests lint, not a test's own program."""
    folder, _, name = path.rpartition("/")
    if pathlib.PurePath(name).suffix not in HOST_SUFFIXES:
        return False
    if "Inputs" in folder.split("/"):
        return True
    return folder in ("test/rules", "test/report") and name != "RulesTest.cpp"


def programs_of(inputs):
    """Folders with a host file and another input, with all inputs below them."""
    below = collections.defaultdict(list)
    for path in inputs:
        for parent in pathlib.PurePosixPath(path).parents:
            below[parent.as_posix()].append(path)
    return {folder: files for folder, files in sorted(below.items())
            if folder not in COLLECTIONS | {"."} and len(files) > 1 and not all(map(is_kernel_file, files))}


# ---------------------------------------------------------------------------------------------------
# Findings
# ---------------------------------------------------------------------------------------------------


class Lint:
    """Runs clmali-lint over the files of one folder."""

    def __init__(self, program, root):
        self.program, self.root = program, root.resolve()
        self.prefixes = sorted({str(root.resolve()) + "/", os.path.abspath(root) + "/"}, key=len, reverse=True)

    def relative(self, value):
        """Without the path of the folder, in all texts."""
        if isinstance(value, str):
            for prefix in self.prefixes:
                value = value.replace(prefix, "")
        elif isinstance(value, list):
            value = [self.relative(v) for v in value]
        elif isinstance(value, dict):
            value = {k: self.relative(v) for k, v in value.items()}
        return value

    def report(self, files, device):
        """What one run reports: exit code, findings, notes, errors; or "stopped"."""
        done = run([self.program, "--format=json", "--no-cache", "--no-config",
                    *(["--device=" + device] if device else []), *files], self.root)
        if done.stopped:
            return {"stopped": done.stopped}
        try:
            report = self.relative(json.loads(done.out))
        except ValueError:
            return {"stopped": "no JSON", "exit": done.code}
        del report["version"]
        report["exit"] = done.code
        return report

    def kernels(self, files, device):
        """(what is reported of each file, what is reported of other files) of one run without hosts."""
        whole = self.report(files, device)
        if "stopped" in whole:
            if len(files) == 1:
                return {files[0]: whole}, []
            units, others = {}, []
            for one in files:
                unit, other = self.kernels([one], device)
                units.update(unit)
                others += other
            return units, others
        units = {f: {part: [] for part in whole if part != "exit"} for f in files}
        others = []
        for part, entries in whole.items():
            for entry in entries if part != "exit" else []:
                if entry["file"] in units:
                    units[entry["file"]][part].append(entry)
                else:
                    others.append({"in": part, **entry})
        implied = 2 if whole["errors"] else int(any(f["severity"] != "info" for f in whole["findings"]))
        if whole["exit"] != implied:
            others.append({"in": "exit", "files": files, "exit": whole["exit"]})
        return units, others


def record_lint(args, record, pool):
    tool = program(args.build, "clmali-lint")
    inputs = [p for p in files_below(args.root, ("test", "kernels")) if is_kernel_file(p) or is_host_input(p)]
    if not inputs:
        raise Unusable("there are no inputs below %s" % args.root)
    folders = [(Lint(tool, args.root), "", inputs)]
    for number, folder in enumerate(args.kernels, 1):
        kernels = [p for p in files_below(folder) if is_kernel_file(p)]
        if not kernels:
            raise Unusable("there is no kernel file below %s" % folder)
        folders.append((Lint(tool, folder), "outside-%d/" % number, kernels))
    pending = []
    for lint, prefix, files in folders:
        for folder, together in programs_of(files).items() if not prefix else ():
            pending.append(("lint/programs/%s.json" % folder, pool.submit(lint.report, together, "")))
        for host in files:
            if not is_kernel_file(host):
                pending.append(("lint/all/%s.json" % host, pool.submit(lint.report, [host], "")))
        kernels = [f for f in files if is_kernel_file(f)]
        for device in ["", *(f for f in args.families if f != "generic")]:
            where = "lint/%s/%s" % (device or "all", prefix)
            for i in range(0, len(kernels), FILES_PER_RUN):
                pending.append((where, pool.submit(lint.kernels, kernels[i:i + FILES_PER_RUN], device)))
    others, findings, stopped = collections.defaultdict(set), 0, []

    def add(key, unit):
        nonlocal findings
        findings += len(unit.get("findings", ()))
        if "stopped" in unit:
            stopped.append("%s: %s" % (key, unit["stopped"]))
        record.add(key, as_json(unit))

    for key, future in pending:
        if key.endswith(".json"):
            add(key, future.result())
            continue
        units, other = future.result()
        others[key] |= set(map(as_json, other))
        for path, unit in units.items():
            add(key + path + ".json", unit)
    for where, texts in others.items():
        record.add(where + "other-files.json", as_json([json.loads(t) for t in sorted(texts)]))
    if not findings:
        raise Unusable("%s reports nothing in %d inputs" % (tool, len(inputs)))
    return "%d findings" % findings, stopped


# ---------------------------------------------------------------------------------------------------
# Candidates
# ---------------------------------------------------------------------------------------------------


def manifest_text(text):
    """Without the version of the program."""
    manifest = json.loads(text)
    for kernel in manifest.get("kernels", ()):
        kernel.pop("tool", None)
    return as_json(manifest)


def plan(tool, root, kernel, family):
    """The unit of a kernel, how many candidates it has, why it was stopped."""
    launch = kernel[:-len(".cl")] + ".launch.yaml"
    with tempfile.TemporaryDirectory(prefix="clmali-freeze-") as folder:
        done = run([tool, folder, MOST_CANDIDATES, VECTOR_BITS.get(family, 0), "--device=" + family,
                    "--launch=" + launch, kernel], root)
        if done.stopped:
            return "stopped: %s\n" % done.stopped, 0, done.stopped
        text = "exit code %d\n%s" % (done.code, done.out)
        numbers = sorted(int(p.stem) for p in pathlib.Path(folder).glob("*.cl") if p.stem.isdigit())
        for number in numbers:
            base = pathlib.Path(folder) / str(number)
            text += "==== candidate %d, source ====\n" % number
            text += base.with_suffix(".cl").read_text(errors="replace")
            text += "==== candidate %d, manifest ====\n" % number
            text += manifest_text(base.with_suffix(".json").read_text())
        return text.replace(str(root) + "/", ""), len(numbers), ""


def two_families(kernel):
    """By a hash, so that each family gets its share and other kernels change nothing. Bifrost and Valhall
    mostly get the same candidates, so not both."""
    order = sorted(FAMILIES, key=lambda family: hashlib.sha256((kernel + " " + family).encode()).digest())
    second = next(f for f in order[1:] if {f, order[0]} != {"mali-bifrost", "mali-valhall"})
    return [order[0], second]


def record_candidates(args, record, pool):
    tool = program(args.build, "clmali-candidates")
    root = args.root.resolve()
    files = files_below(root, ("test/rewrite", "kernels"))
    kernels = [f for f in files if f.endswith(".cl") and f[:-len(".cl")] + ".launch.yaml" in files]
    if not kernels:
        raise Unusable("there is no kernel with a launch file below %s" % args.root)
    pending = [("candidates/%s/%s.txt" % (family, kernel), pool.submit(plan, tool, root, kernel, family))
               for kernel in kernels for family in (args.families if args.all_families else two_families(kernel))]
    candidates, stopped = 0, []
    for key, future in pending:
        text, count, why = future.result()
        candidates += count
        if why:
            stopped.append("%s: %s" % (key, why))
        record.add(key, text)
    if not candidates:
        raise Unusable("%s proposes nothing for %d kernels" % (tool, len(kernels)))
    return "%d candidates" % candidates, stopped


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command_record(args):
    args.root = pathlib.Path(args.root)
    args.kernels = [pathlib.Path(k) for k in args.kernels]
    args.all_families |= bool(args.families)
    args.families = args.families.split(",") if args.families else FAMILIES
    unknown = [f for f in args.families if f not in FAMILIES]
    if unknown:
        raise Unusable("unknown families: %s; of %s" % (", ".join(unknown), ", ".join(FAMILIES)))
    record = Record(args.out)
    for part, function in (("lint", record_lint), ("candidates", record_candidates)):
        if args.part not in (part, "all"):
            continue
        before, start, cpu = len(record.sums), time.monotonic(), cpu_of_children()
        with ThreadPoolExecutor(max(args.jobs, 1)) as pool:
            found, stopped = function(args, record, pool)
        print("%s: %d units with %s, %.0f s of CPU time in %.0f s" %
              (part, len(record.sums) - before, found, cpu_of_children() - cpu, time.monotonic() - start), flush=True)
        for what in stopped:
            print("  stopped: " + what, flush=True)
    record.finish()
    return 0


# ---------------------------------------------------------------------------------------------------
# Comparison
# ---------------------------------------------------------------------------------------------------


def load(folder, part):
    """The sums of the part of a record; all of the record must be there."""
    folder = pathlib.Path(folder)
    try:
        sums = json.loads((folder / "index.json").read_text())
    except (OSError, ValueError) as e:
        raise Unusable("%s is no record: %s" % (folder, e))
    if not sums:
        raise Unusable("%s is empty" % folder)
    for key, value in sums.items():
        path = folder / key
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != value:
            raise Unusable("%s is damaged: %s is not what index.json says" % (folder, key))
    sums = {key: value for key, value in sums.items() if part in (key.split("/")[0], "all")}
    if not sums:
        raise Unusable("%s has no part %s" % (folder, part))
    return sums


LOCATION = ("file", "line", "column", "endLine", "endColumn")


def lint_without_text(value):
    """A unit of lint, without its messages; sorted again, because messages take part in the order."""
    if isinstance(value, list):
        return sorted(map(lint_without_text, value), key=as_json)
    if not isinstance(value, dict):
        return value
    result = {k: v for k, v in value.items() if k != "message"}
    for part in ("findings", "errors"):
        if isinstance(value.get(part), list):
            result[part] = lint_without_text(value[part])
    if isinstance(value.get("notes"), list):
        # Notes of a finding stay in their order: it is the order in which they are shown.
        notes = [{k: n[k] for k in LOCATION if k in n} for n in value["notes"]]
        result["notes"] = notes if "rule" in value else sorted(notes, key=as_json)
    if isinstance(value.get("fixes"), list):
        result["fixes"] = [{k: v for k, v in fix.items() if k != "message"} for fix in value["fixes"]]
    return result


REFUSAL = re.compile(r"^(.*: [a-z-]+ \([^()]*\))(: .*)?$")


def candidates_without_text(text):
    """A unit of candidates, without the words of refusals and obligations and without lines of comments."""
    kept, in_comment, section = [], False, "list"
    for line in text.split("\n"):
        header = re.match(r"==== candidate \d+, (source|manifest) ====$", line)
        bare = line.strip()
        if header:
            in_comment, section = False, header.group(1)
        elif section == "list":
            if line.startswith("    "):
                continue  # advice
            found = REFUSAL.match(line)
            line = found.group(1) if found else line
        elif section == "manifest":
            if bare.startswith('"text": '):
                continue
        elif in_comment or bare.startswith("/*"):
            in_comment = "*/" not in bare
            if in_comment or not bare.split("*/", 1)[1].strip():
                continue
            line = bare.split("*/", 1)[1].strip()
        elif bare.startswith("//"):
            continue
        kept.append(line)
    return "\n".join(kept)


def without_text(key, text):
    if key.startswith("candidates/"):
        return candidates_without_text(text)
    return as_json(lint_without_text(json.loads(text)))


def command_compare(args):
    old, new = load(args.old, args.part), load(args.new, args.part)
    differ = []
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) == new.get(key):
            continue
        texts = [(pathlib.Path(folder) / key).read_text() if key in sums else None
                 for folder, sums in ((args.old, old), (args.new, new))]
        if args.ignore_text:
            texts = [t if t is None else without_text(key, t) for t in texts]
        if texts[0] != texts[1]:
            differ.append((key, texts))
    for number, (key, (before, after)) in enumerate(differ):
        if before is None or after is None:
            print("only in the %s record: %s" % ("new" if before is None else "old", key))
            continue
        print("differs: " + key)
        if number < args.show:
            diff = difflib.unified_diff(before.split("\n"), after.split("\n"), "old", "new", lineterm="")
            for line in list(diff)[:80]:
                print("    " + line)
    print("%d of %d units differ" % (len(differ), len(old.keys() | new.keys())))
    return 1 if differ else 0


# ---------------------------------------------------------------------------------------------------
# Self-test
# ---------------------------------------------------------------------------------------------------

FAKE_LINT = """
#!PYTHON -SE
import json, os, signal, sys
files = [a for a in sys.argv[1:] if not a.startswith("-")]
findings, errors = [], []
for f in files:
    text = open(f).read()
    if "CRASH" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "BROKEN" in text:
        errors.append({"file": f, "message": "cannot parse " + os.path.abspath(f)})
    for line, words in enumerate(text.split("\\n"), 1):
        if "slow" in words:
            findings.append({"rule": "slow", "file": f, "line": line, "message": "SAYS", "severity": "SEVERITY",
                             "notes": [{"file": f, "line": NOTE, "message": "SAYS"}],
                             "fixes": [{"applicability": "safe", "message": "SAYS", "edits": []}]})
print(json.dumps({"version": "VERSION", "findings": findings, "notes": [], "errors": errors}))
sys.exit(2 if errors else 1 if findings else 0)
"""
FAKE_CANDIDATES = """
#!PYTHON -SE
import json, sys
out, family, kernel = sys.argv[1], sys.argv[4], sys.argv[-1]
print(kernel + ":1:2: nothing-pays (narrow): SAYS\\n    SAYS")
for n in range(COUNT):
    print("candidate %d: vectorize" % n)
    source = "// SAYS\\n/* SAYS\\n   SAYS */\\nint x = WIDTH; // " + family + "\\n"
    obligation = {"state": "proved", "text": "SAYS"}
    manifest = {"version": 1, "kernels": [{"tool": "VERSION", "obligations": [obligation]}]}
    open("%s/%d.cl" % (out, n), "w").write(source)
    open("%s/%d.json" % (out, n), "w").write(json.dumps(manifest))
sys.exit(0 if COUNT else 1)
"""


class SelfTest:
    usual = {"SAYS": "costs time", "SEVERITY": "warning", "NOTE": "7", "VERSION": "1", "COUNT": "2", "WIDTH": "4",
             "PYTHON": sys.executable}

    def __init__(self, folder):
        self.folder, self.failures = folder, []
        self.tree("first", {})
        self.record("first", "first")

    def tree(self, name, extra):
        files = {"test/rules/a.cl": "fast\nslow\n", "test/rules/b.cl": "BROKEN\n",
                 "test/rules/crash.cl": "CRASH\n", "test/rules/h.c": "slow\n",
                 "test/lint/Inputs/both/h.c": "fast\n", "test/lint/Inputs/both/k.cl": "slow\n",
                 "test/rewrite/x/k.cl": "fast\n", "test/rewrite/x/k.launch.yaml": "", **extra}
        for path, text in files.items():
            (self.folder / name / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name / path).write_text(text)

    def record(self, out, tree, wanted=0, **words):
        for name, text in (("clmali-lint", FAKE_LINT), ("clmali-candidates", FAKE_CANDIDATES)):
            for word, value in {**self.usual, **words}.items():
                text = text.replace(word, value)
            path = self.folder / "build" / "bin" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.lstrip())
            path.chmod(0o755)
        self.expect("record " + out, wanted, "record", "--build=%s" % (self.folder / "build"), "--jobs=2",
                    "--families=mali-bifrost,generic", "--root=%s" % (self.folder / tree),
                    str(self.folder / out / "record"))

    def compare(self, what, other, wanted, *options):
        self.expect(what, wanted, "compare", str(self.folder / "first" / "record"),
                    str(self.folder / other / "record"), *options)

    def expect(self, what, wanted, *arguments):
        done = subprocess.run([sys.executable, __file__, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode != wanted:
            said = textwrap.indent(done.stdout, "    ")
            self.failures.append("%s: exit %d, not %d\n%s" % (what, done.returncode, wanted, said))


def self_test():
    with tempfile.TemporaryDirectory(prefix="clmali-freeze-") as folder:
        folder = pathlib.Path(folder)
        t = SelfTest(folder)
        units = json.loads((folder / "first/record/index.json").read_text()) if not t.failures else {}
        for key, wanted in (("lint/all/test/rules/crash.cl.json", "signal 11"),
                            ("lint/all/test/rules/a.cl.json", '"line": 2'),
                            ("lint/mali-bifrost/test/rules/a.cl.json", "costs time"),
                            ("lint/all/test/rules/h.c.json", "slow"),
                            ("lint/all/test/rules/b.cl.json", '"cannot parse test/rules/b.cl"'),
                            ("lint/programs/test/lint/Inputs/both.json", "k.cl"),
                            ("candidates/generic/test/rewrite/x/k.cl.txt", "int x = 4; // --device=generic")):
            if key not in units or wanted not in (folder / "first/record" / key).read_text():
                t.failures.append("%s does not have %s" % (key, wanted))
        # The same, elsewhere, of another version.
        t.tree("copy", {})
        t.record("same", "copy", VERSION="2")
        t.compare("same", "same", 0)
        t.compare("same, without text", "same", 0, "--ignore-text")
        t.record("words", "first", SAYS="is not fast")
        t.compare("other words", "words", 1)
        t.compare("other words, without text", "words", 0, "--ignore-text")
        for what, words in (("severity", {"SEVERITY": "info"}), ("note", {"NOTE": "8"}),
                            ("count", {"COUNT": "1"}), ("width", {"WIDTH": "8"})):
            t.record(what, "first", **words)
            t.compare("other " + what, what, 1)
            t.compare("other %s, without text" % what, what, 1, "--ignore-text")
            for part, changed in (("lint", what in ("severity", "note")), ("candidates", what in ("count", "width"))):
                t.compare("other %s, part %s" % (what, part), what, int(changed), "--part=" + part)
        t.tree("more", {"test/rules/z.cl": "fast\n"})
        t.record("more", "more")
        t.compare("one unit more", "more", 1)
        t.expect("one unit less", 1, "compare", str(folder / "more/record"), str(folder / "first/record"))
        # What cannot be used.
        t.record("nothing", "first", 2, COUNT="0")
        t.compare("unfinished", "nothing", 2)
        t.record("nothing", "first")
        t.compare("a record in place of an unfinished one", "nothing", 0)
        (folder / "none" / "record").mkdir(parents=True)
        t.compare("no record", "none", 2)
        (folder / "none" / "record" / "index.json").write_text("{}")
        t.compare("empty", "none", 2)
        (folder / "words/record/lint/all/test/rules/a.cl.json").write_text("{}")
        t.compare("damaged", "words", 2)
        t.expect("no program", 2, "record", "--build=%s" % folder, str(folder / "out"))
        t.expect("a folder that is no record", 2, "record", "--build=%s" % (folder / "build"), str(folder / "first"))
    for failure in t.failures:
        print("FAIL:", failure)
    print("%d failures" % len(t.failures))
    return 1 if t.failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser("record", help="write a record")
    record.add_argument("--build", required=True, help="the build folder")
    record.add_argument("out", metavar="OUT", help="an empty or new folder, or a record, which is replaced")
    record.add_argument("--kernels", metavar="DIR", action="append", default=[], help="lint the kernel files below it, too")
    record.add_argument("--families", metavar="LIST", help="of " + ",".join(FAMILIES))
    record.add_argument("--all-families", action="store_true", help="plan each kernel for all of them")
    record.add_argument("--part", choices=["lint", "candidates", "all"], default="all")
    record.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    record.add_argument("--root", metavar="DIR", default=ROOT, help="the checkout with the inputs; default: this one")
    compare = commands.add_parser("compare", help="compare two records")
    compare.add_argument("old", metavar="OLD")
    compare.add_argument("new", metavar="NEW")
    compare.add_argument("--ignore-text", action="store_true", help="compare no messages and no comments")
    compare.add_argument("--part", choices=["lint", "candidates", "all"], default="all")
    compare.add_argument("--show", metavar="N", type=int, default=5, help="units to show as diffs (default: 5)")
    args = parser.parse_args()
    try:
        return command_record(args) if args.command == "record" else command_compare(args)
    except Unusable as e:
        print("freeze.py: %s" % e, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
