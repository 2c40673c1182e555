"""Machines of the test as network namespaces on one bridge, with cuts, loss, delay and an attacker.

The test runs itself again in a network of its own, so nothing of it reaches the network of this machine, and all of it
is gone with the last process.
"""

import os
import subprocess
import sys
from pathlib import Path

MARK = "FAROL_CLUSTER_NETWORK"
HERE = Path(__file__).resolve().parent
# The machine in front, where the clients are too, and the archive.
FRONT, OTHER_FRONT = "10.0.0.1", "10.0.0.2"
started = []


def enter():
    """Runs the program again in a network of its own."""
    if os.environ.get(MARK):
        run("mount", "-t", "tmpfs", "tmpfs", "/run/netns")
        for words in ("link set lo up", "link add map type bridge", f"addr add {FRONT}/24 dev map",
                      f"addr add {OTHER_FRONT}/24 dev map", "link set map up"):
            run("ip", *words.split())
        return
    if os.geteuid() != 0:
        sys.exit("The test of the cluster makes network namespaces and needs root.")
    Path("/run/netns").mkdir(exist_ok=True)
    os.environ[MARK] = "1"
    os.execvp("unshare", ["unshare", "--net", "--mount", "--propagation", "private", sys.executable, *sys.argv])


def run(*words, given=None):
    done = subprocess.run(words, input=given, capture_output=True, text=True, timeout=30)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


class Host:
    """One machine: a namespace with one address. `bad` lets its link lose and delay packets, see relay.py."""

    def __init__(self, name, address, bad=False):
        self.name, self.address = name, address
        # A program runs in it with these words before it.
        self.inside = ["nsenter", f"--net=/run/netns/{name}"]
        run("ip", "netns", "add", name)
        self.relay = None
        if bad:
            self.relay = subprocess.Popen(
                [sys.executable, "-B", HERE / "relay.py", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                text=True)
            started.append(self.relay)
            self.relay.stdout.readline()
        else:
            run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", name, "master", "map", "up")
        for words in ("link set lo up", f"addr add {address}/24 dev eth0", "link set eth0 up",
                      "route add default via 10.0.0.1"):
            run("ip", "-n", name, *words.split())

    def filter(self, rules):
        run(*self.inside, "nft", "-f", "-", given=rules)

    def cut(self, others=(), ports=(), incoming=True, outgoing=True):
        """Drops packets from or to other machines, or those of some ports."""
        rules = []
        for is_on, chain, side, link in (
                (incoming, "input", "saddr", "iifname"), (outgoing, "output", "daddr", "oifname")):
            rules.append(f"add chain inet cut {chain} {{ type filter hook {chain} priority -10; }}")
            # Programs on the machine itself go on talking to each other.
            match = f'{link} != "lo" ' + (f"ip {side} {{ {', '.join(others)} }}" if others else "")
            ends = f"{{ {', '.join(map(str, ports))} }}"
            matches = [f"{match} tcp {end} {ends}" for end in ("sport", "dport")] if ports else [match]
            if is_on:
                rules += [f"add rule inet cut {chain} {one} drop" for one in matches]
        self.filter("\n".join(["table inet cut", "delete table inet cut", "table inet cut", *rules]) + "\n")

    def heal(self):
        self.filter("table inet cut\ndelete table inet cut\n")

    def hamper(self, loss=0.0, delay=0.0):
        """The share of packets that its link loses in each direction, and the seconds that it delays the others."""
        self.relay.stdin.write(f"{loss} {delay}\n")
        self.relay.stdin.flush()


def stop():
    for process in started:
        process.kill()
        process.wait()
