"""A virtual screen, for browsers that draw the map only if they have a screen."""

import atexit
import os
import subprocess

_display = None


def display():
    """The name of the single Xvfb of this run, such as «:99»."""
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
    """The environment of a browser: the screen, a temporary home, and software rendering."""
    kept = {name: value for name, value in os.environ.items()
            if name in ("PATH", "LANG", "LD_LIBRARY_PATH", "TMPDIR")}
    return kept | {
        "DISPLAY": display(), "HOME": folder, "XDG_RUNTIME_DIR": folder, "LIBGL_ALWAYS_SOFTWARE": "1",
        "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "GSETTINGS_BACKEND": "memory",
    }
