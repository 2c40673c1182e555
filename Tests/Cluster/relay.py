"""The link of a machine, in user space, because not every kernel has netem: a device in the namespace of the machine,
one on the bridge, and between them a share of the packets is lost and the others are delayed. Reads lines with the
share and the seconds.
"""

import collections
import ctypes
import fcntl
import os
import random
import select
import struct
import sys
import time

TUNSETIFF, TAP, PLAIN = 0x400454CA, 0x0002, 0x1000
CLONE_NEWNET = 0x40000000
# Packets that wait at most, as in the queue of a router.
LIMIT = 20_000


def device(name):
    handle = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(handle, TUNSETIFF, struct.pack("16sH14x", name.encode(), TAP | PLAIN))
    return handle


def main():
    name = sys.argv[1]
    outer = device(name)
    with open(f"/run/netns/{name}") as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
    inner = device("eth0")
    print("ready", flush=True)
    other = {outer: inner, inner: outer}
    waiting = collections.deque()
    loss = delay = 0.0
    os.set_blocking(0, False)
    while True:
        pause = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        for handle in select.select([outer, inner, 0], [], [], pause)[0]:
            if handle == 0:
                line = os.read(0, 1_000).decode()
                if not line:
                    return
                loss, delay = map(float, line.strip().splitlines()[-1].split())
                continue
            for _ in range(64):
                try:
                    packet = os.read(handle, 65_536)
                except BlockingIOError:
                    break
                if loss and random.random() < loss:
                    continue
                if delay or waiting:
                    if len(waiting) < LIMIT:
                        waiting.append((time.monotonic() + delay, other[handle], packet))
                else:
                    send(other[handle], packet)
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            send(*waiting.popleft()[1:])


def send(handle, packet):
    try:
        os.write(handle, packet)
    except OSError:
        # The device is down, or its queue is full: lost.
        pass


if __name__ == "__main__":
    main()
