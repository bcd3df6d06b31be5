#!/usr/bin/env python3
"""The files of tools/ci and the pre-commit hooks: they parse and contain the required keys; their shell lines (except
those that install packages) run in a repository with a branch and give the expected results."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import yaml

CLEAN = ("__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
         "void f(__global float4 *x) { x[get_global_id(0)] *= 2.0f; }\n")
FOUND = "__kernel void g(__global float *x) { x[get_global_id(0)] *= 3.0f; }\n"


def git(*arguments):
    subprocess.run(["git", "-c", "user.email=a@b.example", "-c", "user.name=a", *arguments], check=True,
                   capture_output=True)


def repository(folder):
    """A repository with main and a branch that adds one line."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.chdir(folder)
    git("init", "-q", "-b", "main")
    pathlib.Path("old.cl").write_text(CLEAN + FOUND)
    git("add", ".")
    git("commit", "-q", "-m", "one")
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    git("checkout", "-q", "-b", "topic")
    pathlib.Path("new.cl").write_text(CLEAN + FOUND.replace("3.0f", "4.0f"))
    git("add", ".")
    git("commit", "-q", "-m", "two")


def installs(line):
    return "apt-get" in line or "curl" in line


def shell(text, **variables):
    """Runs lines as the CI services do: the first failing command ends them."""
    return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text], capture_output=True, text=True,
                          env={**os.environ, **variables})


def github(path):
    flow = yaml.safe_load(path.read_text())
    assert flow[True] and flow["permissions"]["security-events"] == "write"  # "on" is read as true
    steps = flow["jobs"]["lint"]["steps"]
    for step in steps:
        assert ("uses" in step) != ("run" in step), step
        if "uses" in step:
            assert re.fullmatch(r"[\w.-]+/[\w./-]+@v\d+", step["uses"]), step
    ran = {}
    for step in steps:
        if "run" not in step:
            continue
        lines = [l for l in step["run"].split("\n") if l and not installs(l)]
        if lines:
            ran[step["name"]] = shell("\n".join(lines), BASE="main")
    annotate, lint = ran["Annotate changed lines"], ran["Lint all"]
    assert "::" in annotate.stdout and "file=./new.cl" in annotate.stdout, annotate
    assert "old.cl" not in annotate.stdout, annotate
    assert annotate.returncode == 1 and lint.returncode == 0, (annotate, lint)
    upload = [s for s in steps if "upload-sarif" in s.get("uses", "")][0]
    results = json.load(open(upload["with"]["sarif_file"]))["runs"][0]["results"]
    assert {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results} == {"old.cl", "new.cl"}


def gitlab(path):
    job = yaml.safe_load(path.read_text())["clmali"]
    text = "\n".join(l for l in job["script"] if not installs(l))
    everything = shell(text)
    report = job["artifacts"]["reports"]["junit"]
    cases = {c.get("classname") for c in xml.etree.ElementTree.parse(report).getroot().iter("testcase")}
    assert everything.returncode == 1 and cases == {"./old.cl", "./new.cl"}, (everything, cases)
    base = subprocess.run(["git", "rev-parse", "origin/main"], capture_output=True, text=True).stdout.strip()
    change = shell(text, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    cases = {c.get("classname") for c in xml.etree.ElementTree.parse(report).getroot().iter("testcase")}
    assert change.returncode == 1 and cases == {"./new.cl"}, (change, cases)


def hooks(path):
    for hook in yaml.safe_load(path.read_text()):
        assert {"id", "name", "entry", "language", "files"} <= set(hook), hook
        assert re.search(hook["files"], "a/b.cl") and not re.search(hook["files"], "a/b.cpp")
        # pre-commit appends the file names.
        done = shell(hook["entry"] + " --device=mali new.cl old.cl")
        assert done.returncode == 1 and "new.cl:" in done.stdout, done


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "programs", "work"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    source, work = arguments.source.resolve(), arguments.work.resolve()
    # The lines set global git options: use a configuration file of the test.
    os.environ.update(PATH="%s:%s" % (arguments.programs.resolve(), os.environ["PATH"]),
                      GIT_CONFIG_GLOBAL=str(work / "gitconfig"), XDG_CACHE_HOME=str(work / "cache"))
    repository(work / "repository")
    github(source / "tools/ci/github-workflow.yml")
    gitlab(source / "tools/ci/gitlab-ci.yml")
    hooks(source / ".pre-commit-hooks.yaml")
    print("the workflow, the job and the hooks give the expected results")
    return 0


if __name__ == "__main__":
    sys.exit(main())
