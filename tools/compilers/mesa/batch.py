"""Compiles files for devices: temporary sources, stored results, one process for many files."""

import concurrent.futures
import os
import re
import tempfile

from . import mali, powervr, weights

# Jobs of one process: enough to share the start-up, few enough to use several processors.
_CHUNK = 16


class Job:
    """A file, or its text, with build options. items and trips: see weights.finish."""

    def __init__(self, name, source, options=(), items=None, trips=None, kernels=None):
        self.name, self.source, self.options = name, source, list(options)
        self.items, self.trips, self.kernels = items, trips, kernels

    def flags(self):
        """The build options as one line. The file's folder is searched for headers."""
        folder = os.path.dirname(os.path.abspath(self.name))
        flags = [option for option in self.options if option]
        if "#" in self.source and "include" in self.source and " " not in folder:
            flags.append("-I" + folder)
        return re.sub(r"\s+", " ", " ".join(flags))

    def items_of(self, kernel):
        return self.items.get(kernel) if isinstance(self.items, dict) else self.items


def compile_jobs(workspace, jobs, devices, store, limits, workers, say=lambda text: None):
    """The costs of every kernel of the jobs on the devices, pairs (name, Device), as in README.md."""
    version = workspace.version()
    results, missing = {}, {}
    compiled = dict.fromkeys(device for _, device in devices)
    for device in compiled:
        for index, job in enumerate(jobs):
            key = store.key(job.source, job.flags(), device)
            stored = store.get(key)
            if stored is not None:
                results[device, index] = stored
            else:
                missing.setdefault(device, []).append((index, key))
    _compile_missing(workspace, jobs, missing, store, limits, workers, results, say)
    costs = []
    for index, job in enumerate(jobs):
        for name, device in devices:
            for kernel, row in sorted(results[device, index].items(), key=lambda x: x[0] or ""):
                if job.kernels and kernel and kernel not in job.kernels:
                    continue
                base = dict(file=job.name, kernel=kernel, device=name, family=device.family,
                            compiler="mesa", version=version)
                if name != device.name:
                    base["compiledFor"] = device.name
                row = {k: v for k, v in row.items() if k != "cacheable"}
                costs.append(weights.finish(dict(base, **row), job.trips, job.items_of(kernel)))
    return costs


def _compile_missing(workspace, jobs, missing, store, limits, workers, results, say):
    with tempfile.TemporaryDirectory(prefix="clmali-") as folder:
        work = []
        for device, entries in missing.items():
            vendor = powervr if device.generation == "rogue" else mali
            vendor.prime(workspace, device, say)
            for first in range(0, len(entries), _CHUNK):
                work.append((vendor, device, entries[first:first + _CHUNK]))
        with concurrent.futures.ThreadPoolExecutor(max(1, workers)) as pool:
            tasks = [(device, entries, pool.submit(
                _compile_chunk, workspace, vendor, device, [jobs[i] for i, _ in entries], folder,
                limits, say)) for vendor, device, entries in work]
            for device, entries, task in tasks:
                for (index, key), kernels in zip(entries, task.result()):
                    results[device, index] = kernels
                    store.put(key, kernels)


def _write(folder, number, job, prelude):
    handle, path = tempfile.mkstemp(suffix=".cl", prefix="%d-" % number, dir=folder)
    line = '#line 1 "%s"\n' % os.path.basename(job.name).replace('"', "")
    with os.fdopen(handle, "w") as f:
        f.write(prelude + line + job.source + "\n")
    return path


def _compile_chunk(workspace, vendor, device, jobs, folder, limits, say):
    preludes = [mali.prelude(job.source, job.flags()) for job in jobs]
    files = [(_write(folder, n, job, prelude), job.flags())
             for n, (job, prelude) in enumerate(zip(jobs, preludes))]
    done = vendor.compile_all(workspace, device, files, limits, say)
    # A program can use vloadN in a way that the prelude does not cover: then without it.
    again = [n for n, kernels in enumerate(done)
             if preludes[n] and any(row.get("cacheable") for row in kernels.values())]
    if again:
        files = [(_write(folder, n, jobs[n], ""), jobs[n].flags()) for n in again]
        for n, kernels in zip(again, vendor.compile_all(workspace, device, files, limits, say)):
            done[n] = {k: row if row["status"] != "ok" else dict(row, wholeVectors=False)
                       for k, row in kernels.items()}
    return done
