#!/usr/bin/env python3
"""The files of tools/ci and the pre-commit hooks: they parse and contain the required keys; the steps of the GitHub action,
which are scripts, and the shell lines of the GitLab jobs run in a repository with a branch, with an archive of this build,
and give the expected results."""
import argparse
import hashlib
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


def shell(text, **variables):
    """Runs lines as the CI services do: the first failing command ends them."""
    return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text], capture_output=True, text=True,
                          env={**os.environ, **variables})


def archive(programs, folder):
    """A portable archive with this build's clmali-lint alone, and its checksum beside it."""
    tree = folder / "clmali"
    (tree / "bin").mkdir(parents=True)
    shutil.copy(programs / "clmali-lint", tree / "bin")
    path = folder / "clmali.tar.xz"
    subprocess.run(["tar", "-C", folder, "-I", "xz -0", "-cf", path, "clmali"], check=True)
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_name(path.name + ".sha256").write_text("%s  %s\n" % (checksum, path.name))
    return path, checksum


class Runner:
    """Runs the steps of the action as GitHub does: inputs with their defaults become the environment of each script,
    which writes what later steps get into files."""

    def __init__(self, action, work):
        self.action, self.work = action, work
        self.about = yaml.safe_load((action / "action.yml").read_text())
        assert self.about["runs"]["using"] == "composite"

    def value(self, text, inputs):
        fixed = {"github.action_repository": "owner/clmali", "runner.temp": str(self.work), "runner.arch": "X64",
                 "github.sha": "0"}
        def one(match):
            name = match[1].strip()
            return inputs[name.removeprefix("inputs.")] if name.startswith("inputs.") else fixed[name]
        return re.sub(r"\$\{\{(.*?)\}\}", one, text)

    def run(self, **given):
        """(exit code, standard output, outputs, summary) of the job."""
        assert set(given) <= set(self.about["inputs"]), given
        inputs = {**{name: i["default"] for name, i in self.about["inputs"].items()}, **given}
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        files = {name: self.work / name for name in ("GITHUB_PATH", "GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        said, code = "", 0
        for step in self.about["runs"]["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"[\w.-]+/[\w./-]+@v\d+", step["uses"]), step
                for text in step["with"].values():
                    self.value(text, inputs)
                continue
            assert step["shell"] == "sh", step
            environment = {"PATH": ":".join([*files["GITHUB_PATH"].read_text().split(), "/usr/bin:/bin"]),
                           "HOME": str(self.work), "RUNNER_TEMP": str(self.work), "GITHUB_ACTION_PATH": str(self.action),
                           "GITHUB_SERVER_URL": "file:///nowhere", **{n: str(f) for n, f in files.items()},
                           **dict(line.split("=", 1) for line in files["GITHUB_ENV"].read_text().splitlines()),
                           **{n: self.value(t, inputs) for n, t in step.get("env", {}).items()}}
            done = subprocess.run(["sh", "-e", "-c", step["run"]], env=environment, capture_output=True, text=True)
            said += done.stdout + done.stderr
            code = done.returncode
            if code:
                break
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return code, said, outputs, files["GITHUB_STEP_SUMMARY"].read_text()


def uris(path):
    results = json.load(open(path))["runs"][0]["results"]
    return {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}


def action(folder, path, checksum, work):
    runner = Runner(folder, work)
    for given in (dict(archive=str(path)), dict(archive="file://%s" % path, checksum=checksum)):
        code, said, outputs, summary = runner.run(**given, device="mali", diff="origin/main", sarif="all.sarif")
        assert code == 1 and outputs == {"exit-code": "1", "sarif": "all.sarif"}, (code, said)
        assert "::warning file=./new.cl" in said and "file=./old.cl" not in said, said
        assert uris("all.sarif") == {"old.cl", "new.cl"}
        assert re.search(r"\d+ findings in \d+ kernels", summary) and "scalar-global-access" in summary, summary
        assert list((work / "clmali-cache/clmali").rglob("*")), "nothing was cached"
    code, said, outputs, _ = runner.run(archive=str(path), args="--fail-on=error --checks=*,-write-race", paths="new.cl old.cl")
    assert code == 0 and outputs == {"exit-code": "0"} and "file=old.cl" in said, (code, said)
    code, said, _, _ = runner.run(archive=str(path), paths="missing.cl")
    assert code == 2 and "missing.cl" in said, (code, said)
    # An archive that is not the one that was meant is not unpacked.
    code, said, _, _ = runner.run(archive=str(path), checksum="0" * 64)
    assert code == 2 and "::error" in said and "checksum" in said and not (work / "clmali/bin").exists(), said
    # Without an archive: the release of the action's repository.
    code, said, _, _ = runner.run(version="1.2.3")
    assert code == 2 and "nowhere/owner/clmali/releases/download/v1.2.3/clmali-1.2.3-linux-" in said, said


def github(path, folder, archive_path, work):
    flow = yaml.safe_load(path.read_text())
    assert flow[True] and flow["permissions"]["security-events"] == "write"  # "on" is read as true
    inputs = yaml.safe_load((folder / "action.yml").read_text())["inputs"]
    for job in flow["jobs"].values():
        for step in job["steps"]:
            assert re.fullmatch(r"[\w.-]+/[\w./-]+@v[\d.]+", step["uses"]), step
            if "tools/ci/action@" in step["uses"]:
                assert step["uses"] == "OWNER/clmali/tools/ci/action@v" + inputs["version"]["default"], step
                assert set(step["with"]) <= set(inputs), step
    # The jobs of the matrix, and the one that joins their files.
    shards = flow["jobs"]["lint"]["strategy"]["matrix"]["shard"]
    runner = Runner(folder, work)
    for shard in shards:
        code, said, _, _ = runner.run(archive=str(archive_path), shard="%d/%d" % (shard, len(shards)),
                                      sarif="clmali-%d.sarif" % shard)
        assert code in (0, 1), said
    own, = [s for s in flow["jobs"]["report"]["steps"] if "tools/ci/action@" in s["uses"]]
    code, said, outputs, _ = runner.run(archive=str(archive_path), **own["with"])
    upload, = [s for s in flow["jobs"]["report"]["steps"] if "upload-sarif" in s["uses"]]
    assert code == 1 and upload["with"]["sarif_file"] == outputs["sarif"], (code, said)
    assert uris(outputs["sarif"]) == {"old.cl", "new.cl"}


def gitlab(path, archive_path, checksum):
    spec, jobs = yaml.safe_load_all(path.read_text())
    given = {"archive": "file://%s" % archive_path, "checksum": checksum}
    assert {n for n, i in spec["spec"]["inputs"].items() if "default" not in i} == set(given)
    values = {**{n: str(i.get("default", "")) for n, i in spec["spec"]["inputs"].items()}, **given}

    def lines(job, key):
        text = "\n".join(jobs[job].get(key) or jobs[jobs[job]["extends"]][key])
        return re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda match: values[match[1]], text)

    def job(name, **variables):
        return shell(lines(name, "before_script") + "\n" + lines(name, "script"), **variables)

    report = jobs["clmali"]["artifacts"]["reports"]["junit"]
    base = subprocess.run(["git", "rev-parse", "origin/main"], capture_output=True, text=True).stdout.strip()
    for variables, expected in (({}, {"./old.cl", "./new.cl"}), ({"CI_MERGE_REQUEST_DIFF_BASE_SHA": base}, {"./new.cl"})):
        cases, codes = set(), set()
        for index in (1, 2):
            done = job("clmali", CI_NODE_INDEX=str(index), CI_NODE_TOTAL="2", CLMALI_DEVICE="mali", **variables)
            codes.add(done.returncode)
            cases |= {c.get("classname") for c in xml.etree.ElementTree.parse(report).getroot().iter("testcase")}
        assert max(codes) == 1 and expected <= cases, (codes, cases, done)
        assert "./old.cl" in expected or "./old.cl" not in cases, cases
    done = job("clmali-report")
    assert done.returncode == 0 and uris("clmali.sarif") == {"old.cl", "new.cl"}, done
    values["checksum"] = "0" * 64
    assert job("clmali-report").returncode != 0, "a wrong archive is accepted"


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
    folder = source / "tools/ci/action"
    shutil.rmtree(work, ignore_errors=True)
    path, checksum = archive(arguments.programs.resolve(), work / "archive")
    repository(work / "repository")
    action(folder, path, checksum, work / "runner")
    github(source / "tools/ci/github-workflow.yml", folder, path, work / "runner")
    gitlab(source / "tools/ci/gitlab-ci.yml", path, checksum)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", folder / "install", folder / "lint"], check=True)
    hooks(source / ".pre-commit-hooks.yaml")
    print("the action, the workflow, the jobs and the hooks give the expected results")
    return 0


if __name__ == "__main__":
    sys.exit(main())
