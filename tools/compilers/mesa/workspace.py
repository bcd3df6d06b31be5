"""The folder that setup prepares: programs, versions and shader caches."""

import contextlib
import fcntl
import hashlib
import json
import os
import platform
import shutil
import tempfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


# Entries of the shader cache above this size are libclc (330 kB); a kernel takes a few kB.
_LIBRARY_BYTES = 100000


class NotReady(Exception):
    """setup has not run, or what it prepared does not work."""


def _digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


class Workspace:
    def __init__(self, path=None):
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self.path = os.path.abspath(path or os.environ.get("CLMALI_COMPILERS") or
                                    os.path.join(cache, "clmali", "compilers"))
        self.root = os.path.join(self.path, "root")
        self.libraries = os.path.join(self.root, "usr/lib/aarch64-linux-gnu")
        self._version = None

    def has(self, vendor):
        return (os.path.exists(os.path.join(self.root, "." + vendor)) and
                os.path.exists(self.guest("clbuild")))

    def require(self, vendor):
        if not self.has(vendor):
            raise NotReady("the compilers for %s are not in %s; run tools/compilers/setup %s" % (
                vendor, self.path, vendor))

    def guest(self, name):
        return os.path.join(self.path, "bin", name)

    def emulator(self):
        """The emulator's path, or None on a machine that runs arm64 programs itself."""
        if platform.machine() in ("aarch64", "arm64"):
            return None
        own = os.path.join(self.path, "emulator/usr/bin/qemu-aarch64")
        for name in (own, "qemu-aarch64-static", "qemu-aarch64"):
            found = shutil.which(name)
            if found:
                return found
        raise NotReady("no qemu-aarch64; run tools/compilers/setup")

    def version(self):
        """The version of Mesa's packages."""
        if self._version is None:
            try:
                with open(os.path.join(self.path, "packages.txt")) as f:
                    packages = dict(line.split()[:2] for line in f)
                self._version = packages["mesa-opencl-icd"]
            except (OSError, KeyError, ValueError):
                raise NotReady("%s has no list of packages; run tools/compilers/setup" % self.path)
        return self._version

    # ---- shader caches: one for each device, written once ----

    def primed(self, device):
        return os.path.join(self.path, "primed", device.name)

    def _record(self, device):
        return os.path.join(self.path, "primed", device.name + ".json")

    def record(self, device):
        """What was stored when the cache was primed, or None if the cache is not intact."""
        try:
            with open(self._record(device)) as f:
                record = json.load(f)
            for name, (size, _) in record["files"].items():
                if os.path.getsize(os.path.join(self.primed(device), name)) != size:
                    return None
            return record
        except (OSError, ValueError, KeyError):
            return None

    def intact(self, device):
        """Compares the contents of the cache with their checksums."""
        record = self.record(device)
        return record is not None and all(
            _digest(os.path.join(self.primed(device), name)) == digest
            for name, (_, digest) in record["files"].items())

    def forget(self, device):
        with contextlib.suppress(OSError):
            os.remove(self._record(device))

    @contextlib.contextmanager
    def _locked(self, device):
        os.makedirs(os.path.join(self.path, "primed"), exist_ok=True)
        with open(os.path.join(self.path, "primed", "." + device.name + ".lock"), "w") as f:
            fcntl.flock(f, fcntl.LOCK_EX)
            yield

    def prime(self, device, start, say=lambda text: None):
        """Makes the shader cache of the device, unless it is intact, and returns its record.

        start(folder, frozen) builds a small kernel with the cache in folder, and returns its
        start-up time in processor seconds and an error text, empty if it worked. The first start
        compiles libclc and stores it. Mesa stores entries in the background, so an entry can stay
        behind as a .tmp file. It counts only if a second start, with the cache frozen, finds it.
        """
        with self._locked(device):
            record = self.record(device)
            if record:
                return record
            say("priming %s" % device.name)
            error = ""
            for _ in range(3):
                folder = tempfile.mkdtemp(prefix=".new-", dir=os.path.join(self.path, "primed"))
                try:
                    cold, error = start(folder, False)
                    if error:
                        continue
                    files = self._entries(folder)
                    if any(name.endswith(".tmp") for name in files):
                        error = "an entry of the shader cache was not completed"
                        continue
                    self._drop_kernels(folder)
                    warm, error = start(folder, True)
                    if error:
                        continue
                    if not files or warm > cold / 2:
                        error = "libclc is not in the shader cache (start-up %.1f s, then %.1f s)" % (
                            cold, warm)
                        continue
                    return self._keep(device, folder, cold, warm)
                finally:
                    shutil.rmtree(folder, ignore_errors=True)
            raise NotReady("%s: the shader cache could not be made: %s" % (device.name, error))

    @staticmethod
    def _drop_kernels(folder):
        """Removes stored kernels: a kernel that is found is not compiled, so not reported."""
        for where, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(where, name)
                if name != "index" and os.path.getsize(path) <= _LIBRARY_BYTES:
                    os.remove(path)

    @staticmethod
    def _entries(folder):
        """{path: (bytes, SHA-256)} of libclc, the one large entry, and of incomplete entries."""
        found = {}
        for where, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(where, name)
                relative = os.path.relpath(path, folder)
                if name.endswith(".tmp"):
                    found[relative] = (0, "")
                elif name != "index" and os.path.getsize(path) > _LIBRARY_BYTES:
                    found[relative] = (os.path.getsize(path), _digest(path))
        return found

    def _keep(self, device, folder, cold, warm):
        record = {"files": self._entries(folder), "cold": cold, "warm": warm}
        old = self.primed(device)
        shutil.rmtree(old, ignore_errors=True)
        os.rename(folder, old)
        temporary = self._record(device) + ".tmp"
        with open(temporary, "w") as f:
            json.dump(record, f)
        os.rename(temporary, self._record(device))
        return record

    def too_slow(self, device, startup):
        """True if a start-up took so long that it must have compiled libclc again."""
        record = self.record(device)
        return record is None or startup > (record["cold"] + record["warm"]) / 2
