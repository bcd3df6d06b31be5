#!/usr/bin/env python3
"""Validates every kind of SARIF log of clmali-lint, clmali-rewrite and clmali-run with Microsoft's validator (npm package
@microsoft/sarif-multitool). Exits with 77 ("not run") if the validator cannot be installed."""
import argparse
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys

PACKAGE = "@microsoft/sarif-multitool@5.7.0"
# Accepted complaints, with the reason.
ALLOWED = {
    "SARIF2005": "the driver has no informationUri: the project has no page of its own",
}


def not_run(why):
    print("not run:", why)
    sys.exit(77)


def tool(keep):
    found = shutil.which("sarif-multitool")
    if found:
        return [found]
    npm = shutil.which("npm")
    if not npm:
        not_run("npm is absent, and so is sarif-multitool")
    if platform.system() != "Linux":
        not_run("the package's folder for this system is not known here")
    binary = keep / "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool"
    if not binary.exists():
        keep.mkdir(parents=True, exist_ok=True)
        try:
            done = subprocess.run([npm, "install", "--prefix", str(keep), "--no-audit", "--no-fund", PACKAGE],
                                  capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            not_run("npm did not finish")
        if done.returncode or not binary.exists():
            not_run("npm cannot install %s: %s" % (PACKAGE, done.stderr.strip()[-300:]))
    binary.chmod(0o755)  # npm may skip the package's post-install script
    return [str(binary)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--keep", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    keep = arguments.keep.resolve()
    command = tool(keep)
    inputs = pathlib.Path(__file__).resolve().parent / "Inputs"
    work = keep / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    os.environ["XDG_CACHE_HOME"] = str(work / "cache")
    for name in ("talk.cl", "staged.cl", "host.c"):
        shutil.copy(inputs / name, work)
    shutil.copy(inputs.parent / "unused-suppression.cl", work)
    lint = str(arguments.programs / "clmali-lint")

    def run(*options):
        done = subprocess.run([lint, *options], cwd=work, capture_output=True, text=True)
        assert done.returncode in (0, 1, 2) and not done.stderr, done
        return done

    sources = ["talk.cl", "staged.cl", "host.c", "unused-suppression.cl"]
    run("--device=mali", "--write-baseline=base.json", "talk.cl", "host.c")
    text = (work / "talk.cl").read_text()
    (work / "talk.cl").write_text("\n\n" + text.replace("to[at] = from[at];", "to[at] = from[at + 1];"))
    (work / "plain.cl").write_text("__kernel void f(__global float *x) { x[get_global_id(0)] *= 2.0f; }\n")
    # A refused rewrite and an unjudged one: both need no device.
    for passes, code, log in (("delocalize", 1, "refused.sarif"), ("vectorize", 4, "unjudged.sarif")):
        done = subprocess.run([str(arguments.programs / "clmali-rewrite"), "--no-verify", "--passes=" + passes,
                               "--sarif=" + log, "plain.cl"], cwd=work, capture_output=True, text=True)
        assert done.returncode == code, done
    # A verdict, if there is a device.
    (work / "plain.launch.yaml").write_text("kernel: f\nargs:\n  - { name: x, buffer: inout, count: \"n\" }\n"
                                            "global: [ \"n\" ]\nsizes: [ { n: 8 } ]\n")
    done = subprocess.run([str(arguments.programs / "clmali-run"), "--quiet", "--symbolic=0", "--format=sarif",
                           "--output=verdict.sarif", "--against=plain.cl", "plain.launch.yaml", "plain.cl"],
                          cwd=work, capture_output=True, text=True)
    assert done.returncode in (0, 4), done
    logs = ["verdict.sarif", "refused.sarif", "unjudged.sarif", "all.sarif", "baseline.sarif", "errors.sarif", "empty.sarif"]
    run("--format=sarif", "--output=all.sarif", *sources)
    run("--device=mali", "--baseline=base.json", "--format=sarif", "--output=baseline.sarif", *sources)
    run("--format=sarif", "--output=errors.sarif", "absent.cl", "staged.cl")
    run("--format=sarif", "--checks=three-wide-vector", "--output=empty.sarif", "staged.cl")

    def complaints(log):
        verdict = work / ("verdict-" + log)
        subprocess.run([*command, "validate", log, "--rule-kind", "Sarif;Gh", "--output", str(verdict)],
                       cwd=work, capture_output=True, text=True)
        run, = json.loads(verdict.read_text())["runs"]
        assert run["invocations"][0]["executionSuccessful"], run["invocations"]
        return [r for r in run.get("results", []) if r.get("level", "warning") in ("error", "warning")]

    # The validator must reject a wrong log; otherwise its silence proves nothing.
    (work / "bad.sarif").write_text(json.dumps({"version": "2.1.0", "$schema": "x", "runs": [{"results": [{}]}]}))
    try:
        assert complaints("bad.sarif")
    except (AssertionError, KeyError, FileNotFoundError, json.JSONDecodeError):
        pass  # a log that it cannot read

    failed = 0
    for log in logs:
        said = complaints(log)
        for result in said:
            if result["ruleId"].split("/")[0] in ALLOWED:
                continue
            failed += 1
            print(log, result["ruleId"], json.dumps(result["message"])[:300], result.get("locations"))
        print("%s: %d complaints, %s" % (log, len(said), "all allowed" if not failed else "some that matter"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
