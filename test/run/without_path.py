"""Runs a command with an empty PATH and an empty kernel cache, so that many devices cannot build. Succeeds if the judge
reports this (exit code 4), or if the rewrite is held without a proof that needs Clang."""
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
