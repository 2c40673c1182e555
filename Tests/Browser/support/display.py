"""A screen that nobody sees, for browsers that draw the map only when they have one."""

import atexit
import os
import subprocess

_display = None


def display():
    """The name of the one Xvfb of this run, such as «:99»."""
    global _display
    if _display is None:
        read, write = os.pipe()
        process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1100x24", "-nolisten", "tcp"],
            pass_fds=(write,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(write)
        atexit.register(stop, process)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        _display = f":{number}"
    return _display


def stop(process):
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()


def environment(folder):
    """What a browser of its own needs: the screen, a home that is thrown away, drawing in software."""
    kept = {name: value for name, value in os.environ.items()
            if name in ("PATH", "LANG", "LD_LIBRARY_PATH", "TMPDIR")}
    return kept | {
        "DISPLAY": display(), "HOME": folder, "XDG_RUNTIME_DIR": folder, "LIBGL_ALWAYS_SOFTWARE": "1",
        "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "GSETTINGS_BACKEND": "memory",
    }
