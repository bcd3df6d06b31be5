"""code.py N COMMAND...: runs COMMAND without output; succeeds if it exits with N."""
import subprocess
import sys

got = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
if got.returncode != int(sys.argv[1]):
    print(f"exit code {got.returncode} instead of {sys.argv[1]}: {' '.join(sys.argv[2:])}\n{got.stderr}")
    sys.exit(1)
