"""Opens a kernel in headless neovim with tools/editors/neovim.lua: neovim.py FOLDER SETTINGS."""
import os
import shutil
import subprocess
import sys

from lsp import beside

folder, settings = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
# neovim 0.7.2 returns findings at byte columns, but the protocol counts UTF-16 units: use ASCII only.
with open(os.path.join(here, "findings.cl"), encoding="utf-8") as f, open(os.path.join(folder, "findings.cl"), "w") as to:
    to.write(f.read().encode("ascii", "ignore").decode())
# The judge has its own tests: here a script replaces clmali-rewrite.
program = beside(os.path.join(folder, "bin"), """
{ cat "$text"; echo '// rewritten'; } > "$out"
echo 'scale: held' >&2
""")
environment = dict(os.environ, PATH=os.path.dirname(program) + os.pathsep + os.environ["PATH"], HOME=folder,
                   XDG_DATA_HOME=folder, XDG_STATE_HOME=folder, XDG_CACHE_HOME=folder)
done = subprocess.run(["nvim", "--headless", "-u", settings, "-n", "-i", "NONE", os.path.join(folder, "findings.cl"),
                       "-c", "luafile " + os.path.join(here, "neovim.lua")],
                      env=environment, timeout=300, stdin=subprocess.DEVNULL, capture_output=True, text=True)
print(done.stdout, done.stderr)
sys.exit(done.returncode or "as it should be" not in done.stdout + done.stderr)
