"""Runs a command with nothing on the PATH and nothing in the device's cache, where many a device cannot
build: succeeds where the judge says so (exit code 4), or held after all without Clang's proof."""
import os
import shutil
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as cache:
    run = subprocess.run([shutil.which(sys.argv[1])] + sys.argv[2:], stdout=subprocess.PIPE, text=True, check=False,
                         env=dict(os.environ, PATH=os.path.join(cache, 'nothing'), POCL_CACHE_DIR=cache))
print(run.stdout)
if run.returncode == 0:
    assert 'proved' not in run.stdout, 'a proof without a compiler'
else:
    assert run.returncode == 4 and run.stdout.startswith('inconclusive: '), run.returncode
