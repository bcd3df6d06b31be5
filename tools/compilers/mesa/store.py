"""Stored results, by source, options, device and version of the compiler."""

import glob
import hashlib
import json
import os
import re
import tempfile

from .workspace import HERE


def _own_version():
    """Changes when a program that makes stored figures changes."""
    digest = hashlib.sha256()
    for path in sorted(glob.glob(os.path.join(HERE, "mesa", "*.py")) +
                       glob.glob(os.path.join(HERE, "guest", "*"))):
        if os.path.basename(path) in ("batch.py", "store.py", "weights.py"):
            continue  # they store figures, or work on stored ones
        with open(path, "rb") as f:
            digest.update(f.read())
    return digest.hexdigest()


class Store:
    def __init__(self, workspace, enabled=True):
        self.folder = os.path.join(workspace.path, "results") if enabled else None
        self.context = (workspace.version(), _own_version()) if enabled else None

    def key(self, source, options, device):
        """None: the result depends on other files than the source, so it is not stored."""
        if not self.folder or re.search(r"^\s*#\s*include", source, re.M) or "-include" in options:
            return None
        parts = [*self.context, source, options, device.name]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _path(self, key):
        return os.path.join(self.folder, key[:2], key[2:] + ".json")

    def get(self, key):
        if not key:
            return None
        try:
            with open(self._path(key)) as f:
                # The entry of a job without a kernel has no name, which JSON writes as a text.
                return {None if name == "null" else name: row for name, row in json.load(f).items()}
        except (OSError, ValueError):
            return None

    def put(self, key, kernels):
        """Stores {kernel: figures}, unless a limit or a crash of the compiler is among them."""
        if not key or any(row["status"] != "ok" and not row.get("cacheable")
                          for row in kernels.values()):
            return
        path = self._path(key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path))
        with os.fdopen(handle, "w") as f:
            json.dump(kernels, f)
        os.replace(temporary, path)
