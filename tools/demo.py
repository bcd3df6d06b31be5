#!/usr/bin/env python3
"""Lints two reference kernels, rewrites them for Mali and for PowerVR, judges each rewrite on an OpenCL
device, times the original and the rewritten kernel, and prints one table. Then it filters a picture with
both kernels and compares the two files.

Exit: 0, or 1 if a rewrite was not held, a comparison failed, or a step could not be run."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEVICES = ["mali-midgard", "powervr-rogue"]
# kernel, and the size at which it is timed
KERNELS = [("laplace", "w=1920,h=1080"), ("sgemm", "n=512")]
VERDICTS = {0: "Held", 1: "refused", 2: "error", 3: "Refuted", 4: "Inconclusive"}


def say(text):
    print("demo: " + text, flush=True)


def run(*command, **options):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, errors="replace",
                          **options)


def lint(binaries, device, path):
    done = run(binaries / "clmali-lint", "--device=" + device, "--format=json", path)
    report = json.loads(done.stdout)
    return collections.Counter(f["rule"] for f in report["findings"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("picture", nargs="?")
    args = parser.parse_args()
    binaries = pathlib.Path(args.build) / "bin"
    bad = []
    kept = {}
    rows = [("kernel", "for", "findings", "after", "passes", "verdict", "speed-up here")]

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, size in KERNELS:
            source, launch = (ROOT / "kernels" / name / (name + end) for end in (".cl", ".launch.yaml"))
            for device in DEVICES:
                say("%s for %s: lint, rewrite, judge" % (name, device))
                found = lint(binaries, device, source)
                out, manifest = folder / ("%s-%s.cl" % (name, device)), folder / ("%s-%s.json" % (name, device))
                done = run(binaries / "clmali-rewrite", "--device=" + device, "--launch=" + str(launch),
                           "-o", out, "--manifest=" + str(manifest), source)
                verdict = VERDICTS.get(done.returncode, "ended with %d" % done.returncode)
                passes = speed = left = "-"
                if done.returncode == 0:
                    after = sum(lint(binaries, device, out).values())
                    left = str(after)
                    if after > sum(found.values()):
                        bad.append("%s for %s: more findings after the rewrite" % (name, device))
                    passes = " ".join(json.loads(manifest.read_text())["kernels"][0]["passes"])
                    say("%s for %s: timing at %s" % (name, device, size))
                    timed = run(sys.executable, ROOT / "tools/fuzz/runner.py", launch, "--source", source,
                                "--rewritten", out, "--manifest", manifest, "--size", size, "--bench", "5")
                    line = next((l for l in reversed(timed.stdout.splitlines()) if l.startswith("{")), "{}")
                    result = json.loads(line)
                    if result.get("verdict") == "equal":
                        speed = "%.1f" % result["runs"][0]["speedup"]
                    else:
                        speed = "not equal"
                        bad.append("%s for %s differs at %s: %s" % (name, device, size, line))
                    kept[(name, device)] = (out, manifest)
                else:
                    bad.append("%s for %s: %s\n%s" % (name, device, verdict, done.stderr.strip()))
                rows.append((name, device, str(sum(found.values())), left, passes, verdict, speed))

        say("filtering a picture")
        picture = args.picture
        if not picture:
            picture = folder / "picture.png"
            done = run(binaries / "clmali-picture", "--make=3000x2000", picture)
            if done.returncode:
                bad.append("no picture: " + done.stderr)
        launch = ROOT / "kernels/laplace/laplace.launch.yaml"
        original, rewritten = folder / "original.png", folder / "rewritten.png"
        lines = []
        done = run(binaries / "clmali-picture", launch, picture, original)
        pair = next((kept[k] for k in kept if k[0] == "laplace"), None)
        if done.returncode:
            bad.append("the picture could not be filtered: " + done.stderr)
        elif pair is None:
            bad.append("no rewritten Laplace kernel to filter the picture with")
        else:
            lines.append("original kernel:  " + done.stdout.strip())
            done = run(binaries / "clmali-picture", "--source=%s" % pair[0], "--manifest=%s" % pair[1],
                       launch, picture, rewritten)
            if done.returncode:
                bad.append("the picture could not be filtered: " + done.stderr)
            else:
                lines.append("rewritten kernel: " + done.stdout.strip())
                same = original.read_bytes() == rewritten.read_bytes()
                lines.append("the two files are " + ("identical" if same else "DIFFERENT"))
                if not same:
                    bad.append("the two pictures differ")

    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    print()
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    print("\nfindings: reported by clmali-lint for that family; after: in the rewritten file, which also contains the original"
          "\nkernel if the manifest still launches it for a remainder (performance rules leave it out then); speed-up: measured on the first OpenCL device of this machine,"
          "\nwhich need not be a GPU of that family\n")
    print("picture of the Laplace filter")
    for line in lines:
        print("  " + line)
    for message in bad:
        print("demo: FAILED: " + message)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
