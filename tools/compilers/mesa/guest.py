"""Runs an arm64 program of the workspace, with limits on time and output."""

import os
import selectors
import signal
import subprocess
import threading
import time

# Variables of this machine that change what Mesa, the Vulkan loader or the emulator do.
_PREFIXES = ("LD_", "MESA_", "RUSTICL_", "OCL_", "OPENCL_", "PAN_", "PVR_", "PCO_", "VK_", "ZINK_",
             "QEMU_", "CLMALI_", "BIFROST_", "MIDGARD_", "GALLIUM_", "NIR_", "CLC_")

_WALL = 5

_running = set()
_lock = threading.Lock()


class Run:
    """The outcome of one guest process.

    sections: {job number: text}, the output between "begin N" and "end N"
    before:   the output before the first job
    finished: the jobs whose end was seen
    stopped:  None, or why the process did not finish its jobs: the reason, for one job
    current:  the job during which the process stopped, or None
    startup:  processor seconds before the first job
    """

    def __init__(self):
        self.sections, self.before, self.finished = {}, "", set()
        self.stopped, self.current, self.startup, self.status = None, None, 0.0, None


def command(workspace, program, arguments, preload):
    loader = os.path.join(workspace.root, "lib/ld-linux-aarch64.so.1")
    emulator = workspace.emulator()
    return ([emulator] if emulator else []) + [
        loader, "--library-path", workspace.libraries, "--preload",
        " ".join(workspace.guest(name) if name.endswith(".so") and "/" not in name else name
                 for name in preload),
        workspace.guest(program)] + arguments


def environment(workspace, variables):
    kept = {k: v for k, v in os.environ.items()
            if not k.startswith(_PREFIXES) or k == "CLMALI_TRACE"}
    return dict(kept, CLMALI_TREE=workspace.root, **variables)


def _processor_seconds(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            fields = f.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(argv, variables, marker, seconds, most_bytes, fatal=None):
    """Runs argv; its output has the lines "MARKER: begin N" and "MARKER: end N" for each job.

    seconds:    processor time that one job (or the start-up) may take; wall time: _WALL as much,
                because other programs can delay it
    most_bytes: output that one job may print
    fatal:      text of a line after which the job cannot succeed, or None
    """
    result = Run()
    process = subprocess.Popen(argv, env=variables, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    with _lock:
        _running.add(process.pid)
    try:
        _read(process, result, marker, seconds, most_bytes, fatal and fatal.encode())
    finally:
        _kill(process)
        with _lock:
            _running.discard(process.pid)
    if result.stopped is None and result.status != 0:
        result.stopped = "the compiler ended with %s" % _describe(result.status)
    return result


def _read(process, result, marker, seconds, most_bytes, fatal):
    begin, end = ("%s: begin " % marker).encode(), ("%s: end " % marker).encode()
    section, pending, size = [], b"", 0
    started = (time.monotonic(), _processor_seconds(process.pid))
    selector = selectors.DefaultSelector()
    selector.register(process.stdout, selectors.EVENT_READ)

    def close():
        text = b"".join(section).decode(errors="replace")
        if result.current is not None:
            result.sections[result.current] = text
        elif not result.sections:
            result.before += text
        section.clear()

    while True:
        ready = selector.select(min(seconds, 1.0))
        used = _processor_seconds(process.pid) - started[1]
        if used > seconds or time.monotonic() - started[0] > _WALL * seconds:
            result.stopped = "the compiler took more than %d seconds" % seconds
            break
        if not ready:
            continue
        chunk = os.read(process.stdout.fileno(), 1 << 16)
        if not chunk:
            result.status = process.wait()
            break
        *lines, pending = (pending + chunk).split(b"\n")
        for line in lines:
            if line.startswith(begin):
                if result.current is None and not result.sections:
                    result.startup = _processor_seconds(process.pid)
                close()
                result.current, size = int(line[len(begin):]), 0
                started = (time.monotonic(), _processor_seconds(process.pid))
            elif line.startswith(end):
                close()
                result.finished.add(result.current)
                result.current, size = None, 0
                started = (time.monotonic(), _processor_seconds(process.pid))
            else:
                section.append(line + b"\n")
                size += len(line) + 1
                if fatal and fatal in line:
                    result.stopped = line.decode(errors="replace").strip()[:200]
                    break
        if result.stopped:
            break
        if size + len(pending) > most_bytes:
            result.stopped = "the compiler printed more than %d MB" % (most_bytes >> 20)
            break
    section.append(pending)
    close()


def _kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.stdout.close()
    process.wait()


def _describe(status):
    if status is not None and status < 0:
        try:
            return "signal %s" % signal.Signals(-status).name
        except ValueError:
            return "signal %d" % -status
    return "exit status %s" % status


def stop_all():
    """Ends every running guest process, when this program is interrupted."""
    with _lock:
        for pid in _running:
            try:
                os.killpg(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
