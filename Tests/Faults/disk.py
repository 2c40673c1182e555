"""Faults of the disk: full, read-only, and failing writes and syncs."""

import collections
import contextlib
import errno
import os
import shutil
import subprocess
import time
from pathlib import Path

from cases import case
from instance import ITEMS, Instance, hold, watched
from shim import Disk


def shimmed(bench):
    scratch = bench.folder()
    data = scratch / "data"
    data.mkdir()
    return Instance(bench.program, scratch, data, Disk(bench.shim, scratch, data)).prepare()


def fault_and_back(bench, **numbers):
    """Makes calls fail for a while, twice, because faults recur."""
    instance = shimmed(bench)
    recovered = []
    with watched(instance) as onlooker:
        for _ in range(2):
            with instance.disk.failing(**numbers) as failing:
                for _ in range(5):
                    instance.expect_refused()
                hold(instance.process.poll() is None, "the server ended")
                hold(failing.hits > 0, "the fault was never met")
            recovered.append(instance.recovered())
    instance.finish()
    return {"reads": onlooker.served, "writes again after": f"{max(recovered):.2f} s"}


def register(name, made, **numbers):
    """A case of one recurring fault."""
    case(name, made)(lambda bench: fault_and_back(bench, **numbers))


register("disk full", "every write fails with ENOSPC, twice", write=errno.ENOSPC)
register("disk quota", "every write fails with EDQUOT", write=errno.EDQUOT)
register("write error", "every write fails with EIO", write=errno.EIO)
register("sync error", "every fsync fails with EIO", sync=errno.EIO)
register("disk read-only", "every write, sync and open for writing fails with EROFS",
         write=errno.EROFS, sync=errno.EROFS, open_to_write=errno.EROFS)


@case("read error", "every read of a file fails with EIO: the in-memory index and pages continue to work")
def read_error(bench):
    instance = shimmed(bench)
    in_memory = ("/healthz", "/api/tiles/devices/0/0/0.mvt", "/")
    with watched(instance, in_memory) as onlooker:
        with instance.disk.failing(read=errno.EIO, write=errno.EIO):
            for _ in range(5):
                instance.expect_refused()
            hold(instance.ask("GET", "/readyz").status == 503, "it says that it is ready")
    with watched(instance):
        recovered = instance.recovered()
    instance.finish()
    return {"reads": onlooker.served, "writes again after": f"{recovered:.2f} s"}


@case("intermittent read errors", "8 of 100 reads of a file fail with EIO for 3 s, under reads and writes: "
      "requests that cannot be served are refused, the file is not treated as damaged, and writes resume without action")
def intermittent(bench):
    instance = shimmed(bench)
    for _ in range(60):
        instance.add()
    paths = (f"{ITEMS}?limit=50", f"{ITEMS}?q=fault&limit=50", f"{ITEMS}?bbox=-180,-90,180,90&limit=50",
             "/api/statistics?group_by=category", *(f"{ITEMS}/{one}/history" for one in list(instance.promised)[:20]))
    statuses = collections.Counter()
    with instance.disk.failing(read=errno.EIO, read_share=8) as failing:
        end = time.monotonic() + 3
        while time.monotonic() < end:
            statuses[instance.add().status] += 1
            for path in paths:
                statuses[instance.ask("GET", path).status] += 1
        hold(failing.hits > 20, f"only {failing.hits} reads were failed")
    hold(set(statuses) <= {200, 201, 503}, f"requests were answered {dict(statuses)}")
    recovered = instance.recovered()
    with watched(instance, paths):
        for _ in range(20):
            hold(instance.add().status == 201, "a write was refused after the fault had ended")
    hold("database is damaged" not in instance.log(), "a file that is whole was called damaged")
    instance.finish()
    return {"reads that failed": failing.hits, "writes again after": f"{recovered:.2f} s"}


@contextlib.contextmanager
def on_small_disk(bench):
    """An instance whose data are in a real file system of 64 MB, which is removed afterwards."""
    scratch = bench.folder()
    data = scratch / "data"
    data.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m,mode=700", "farol", data], check=True)
    instance = Instance(bench.program, scratch, data)
    try:
        yield instance.prepare(), data / "filler"
    finally:
        instance.end()
        subprocess.run(["umount", "-l", data], check=False)


@case("tmpfs full", "a real file system is full, then has space again", needs_root=True)
def tmpfs_full(bench):
    with on_small_disk(bench) as (instance, filler):
        with watched(instance) as onlooker:
            fill(filler)
            refused = 0
            for _ in range(200):
                if instance.add().status == 503:
                    refused += 1
                    instance.expect_refused()
                if refused == 5:
                    break
            hold(refused == 5, "the file system was never full")
            os.unlink(filler)
            recovered = instance.recovered()
        instance.finish()
        return {"reads": onlooker.served, "writes again after": f"{recovered:.2f} s"}


def fill(path):
    """Writes until the disk is full."""
    with open(path, "wb", buffering=0) as file:
        block = bytes(1 << 16)
        while block:
            try:
                file.write(block)
            except OSError as fault:
                hold(fault.errno == errno.ENOSPC, f"filling failed: {fault}")
                block = block[:len(block) // 2]


@case("start on a full disk", "the program reports it and ends; it starts when there is space", needs_root=True)
def start_full(bench):
    with on_small_disk(bench) as (instance, filler):
        instance.kill()
        fill(filler)
        # With a log to recover and no space for the recovery, two results are fine: read-only mode, or an error
        # message.
        code, words = bench.starts(instance)
        hold(code is None or (code == 1 and len(words) > 20), f"it ended with {code}: {words}")
        instance.end()
        os.unlink(filler)
        instance.start()
        instance.recovered()
        instance.finish()
        return {"ended with": "served" if code is None else code}


@contextlib.contextmanager
def block_device(bench):
    """An ext4 in a file, as a block device of the kernel, removed afterwards."""
    image = bench.folder() / "disk"
    with open(image, "wb") as file:
        file.truncate(96 << 20)
    run("mkfs.ext4", "-q", image)
    device = run("losetup", "--find", "--show", image).strip()
    try:
        yield device
    finally:
        subprocess.run(["losetup", "--detach", device], check=False)


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def can_break_a_disk():
    """Why this machine has no disk that can fail on demand, or None."""
    if missing := [name for name in ("losetup", "mkfs.ext4", "e2fsck") if not shutil.which(name)]:
        return f"there is no {missing[0]} here"
    if not os.path.exists("/dev/loop-control"):
        return "this system has no loop devices"
    if "\text4\n" not in Path("/proc/filesystems").read_text():
        return "this kernel has no ext4"
    return None


@case("disk goes read-only", "the kernel detects an ext4 error and remounts read-only under the server; "
      "then e2fsck, and a start", needs_root=True, unless=can_break_a_disk)
def goes_read_only(bench):
    with block_device(bench) as device:
        scratch = bench.folder()
        data = scratch / "data"
        data.mkdir()
        run("mount", "-o", "errors=remount-ro", device, data)
        try:
            instance = Instance(bench.program, scratch, data).prepare()
            with watched(instance) as onlooker:
                trigger = Path("/sys/fs/ext4") / Path(device).name / "trigger_fs_error"
                trigger.write_text("a test of what happens then")
                for _ in range(5):
                    instance.expect_refused()
                hold(instance.process.poll() is None, "the server ended")
                try:
                    (data / "probe").write_text("x")
                    hold(False, "the file system can still be written")
                except OSError as fault:
                    hold(fault.errno == errno.EROFS, f"writing a file failed with {fault}")
                hold(instance.ask("GET", "/healthz").status == 200, "/healthz is not answered")
            hold(not instance.lost(), "acknowledged writes cannot be read while it is read-only")
            hold(instance.stop() == 0, f"it ended with {instance.process.returncode}")
            run("umount", data)
            # 1: it has repaired something, which is its purpose.
            mended = subprocess.run(["e2fsck", "-fy", device], capture_output=True, text=True)
            hold(mended.returncode in (0, 1), f"e2fsck ended with {mended.returncode}: {mended.stdout}")
            run("mount", device, data)
            instance.start()
            recovered = instance.recovered()
            instance.finish()
            return {"reads": onlooker.served, "writes after the start in": f"{recovered:.2f} s"}
        finally:
            instance.end()
            subprocess.run(["umount", "-l", data], check=False, capture_output=True)
