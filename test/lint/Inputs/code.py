"""code.py N COMMAND...: runs COMMAND, prints its output, and fails unless it exits with N."""
import subprocess
import sys

done = subprocess.run(sys.argv[2:], capture_output=True, text=True, errors="replace")
sys.stdout.write(done.stdout + done.stderr)
if done.returncode != int(sys.argv[1]):
    print("exit code %d, not %s" % (done.returncode, sys.argv[1]))
    sys.exit(1)
