"""Raw sockets against the running program: malformed HTTP, disappearing peers, refused bodies."""

import json
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor

from cases import case
from instance import ITEMS, Instance, hold, watched
from messages import CLOSED, CLOSES, MESSAGES, STAYS
from process import figure

# The time that the server waits for the rest of an incomplete request header.
PATIENCE = 14.0


@case("malformed HTTP", f"{len(MESSAGES)} messages over raw sockets, each with its required response",
      brief=True)
def malformed(bench):
    instance = Instance(bench.program, bench.folder())
    instance.start()
    with ThreadPoolExecutor(16) as pool:
        outcomes = list(pool.map(lambda message: outcome(instance, message), MESSAGES))
    wrong = [f"{message.name}: {found}" for message, found in zip(MESSAGES, outcomes) if found]
    hold(instance.ask("GET", "/healthz", timeout=2).status == 200, "/healthz is not answered")
    hold(instance.stop() == 0, "it did not stop well")
    hold(not wrong, "; ".join(wrong))
    return {"messages": len(MESSAGES)}


def outcome(instance, message):
    """The fault in the response to a message, or None."""
    begun = time.monotonic()
    answered, is_closed = exchange(instance.port, message)
    seconds = time.monotonic() - begun
    expected = [one if isinstance(one, set) else {one} for one in message.statuses]
    if message.end == CLOSED:
        # libmicrohttpd may refuse it with a plain page before it closes the connection.
        if not is_closed or any(one not in (400, 413) for one in answered):
            return f"{answered}, {'closed' if is_closed else 'left open'}"
    elif len(answered) != len(expected) or any(
            one not in allowed for one, allowed in zip(answered, expected)):
        return f"{answered} instead of {message.statuses}"
    if message.end == CLOSES and not is_closed:
        return "the connection was left open"
    if message.end == STAYS and is_closed:
        return "the connection was closed"
    if seconds > PATIENCE:
        return f"it took {seconds:.1f} s"
    return None


def exchange(port, message):
    """The statuses of the responses, and whether the server closed the connection."""
    received, is_closed = b"", False
    with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
        try:
            connection.sendall(message.bytes)
        except OSError:
            pass
        # On a connection that stays open, silence follows the response.
        connection.settimeout(0.5 if message.end == STAYS else PATIENCE)
        try:
            while piece := connection.recv(65_536):
                received += piece
            is_closed = True
        except (TimeoutError, socket.timeout):
            pass
        except ConnectionError:
            is_closed = True
    return statuses(received), is_closed


def statuses(received):
    """The statuses of consecutive responses that have a length."""
    found = []
    while match := re.match(rb"HTTP/1\.[01] (\d{3}) ?[^\r]*\r\n", received):
        status = int(match.group(1))
        head, parting, rest = received.partition(b"\r\n\r\n")
        if not parting:
            found.append(status)
            break
        length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
        if status != 100:
            found.append(status)
        received = rest[int(length.group(1)) if length else 0:]
    return found


# The states in which a peer disappears, each on a separate connection.
LEAVINGS = {
    "connected": b"",
    "served": b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    "in a head": b"GET /healthz HTTP/1.1\r\nHost: a\r\nAcc",
    "in a body": b"POST /api/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                 b"Content-Length: 500\r\n\r\n{\"login\":",
    "before an answer": b"GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 40,
    "in a download": b"GET /api/exports/devices.geojson HTTP/1.1\r\nHost: a\r\n\r\n" * 400,
}
# Linux: a socket in repair mode is closed without a packet to its peer, as in a power cut.
TCP_REPAIR = 19


@case("peers vanish", f"{20 * len(LEAVINGS)} connections, at six moments, end without a FIN: all are closed, "
      "and reads continue", needs_root=True)
def vanish(bench):
    instance = Instance(
        bench.program, bench.folder(), settings={"FAROL_METRICS": "loopback"}).prepare()
    peers = [leave(instance.port, words) for words in LEAVINGS.values() for _ in range(20)]
    time.sleep(0.5)
    before = connections(instance)
    hold(before > len(peers) / 2, f"{before} connections only were open")
    with watched(instance) as onlooker:
        begun = time.monotonic()
        for peer in peers:
            peer.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
            peer.close()
        # The concurrent reader has one connection, and this query has another.
        while (left := connections(instance)) > 2:
            hold(time.monotonic() - begun < 25, f"{left:.0f} connections are left after 25 s")
            time.sleep(0.25)
        seconds = time.monotonic() - begun
    instance.finish()
    return {"reads": onlooker.served, "connections": len(peers), "all closed after": f"{seconds:.1f} s"}


def leave(port, words):
    """A peer that has sent its request and reads nothing."""
    peer = socket.socket()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    peer.connect(("127.0.0.1", port))
    peer.settimeout(0.2)
    try:
        peer.sendall(words)
    except TimeoutError:
        # The client does not read its responses, so the server stops reading its requests.
        pass
    return peer


def connections(instance):
    return figure(instance, "farol_http_connections_open")


# Requests that are refused after their header, although the client still sends a body of 8 MB.
UNWANTED = {
    "without a token": (401, "/api/collections/devices/items/{id}/photos", "Content-Length: {size}"),
    "too long": (413, ITEMS, "Content-Length: {size}"),
    "too long, in chunks": (413, ITEMS, "Transfer-Encoding: chunked"),
    "to nowhere": (404, "/nowhere", "Content-Length: {size}"),
    "by a method that is not allowed": (405, "/api/taxonomies", "Content-Length: {size}"),
}


@case("bodies refused unread", "8 MB sent at once after a head that gets 401, 404, 405 or 413: the "
      "server reads it all, and the client reads the response", brief=True)
def unwanted(bench):
    instance = Instance(bench.program, bench.folder()).prepare()
    identity = next(iter(instance.promised))
    slowest = 0.0
    for name, (status, path, length) in UNWANTED.items():
        begun = time.monotonic()
        found = send_all_then_read(instance.port, path.format(id=identity), length)
        slowest = max(slowest, time.monotonic() - begun)
        hold(found == status, f"{name}: {found} instead of {status}")
    instance.finish()
    return {"slowest": f"{slowest:.2f} s"}


def send_all_then_read(port, path, length):
    """The status of the response, or the error if there is none."""
    body = bytes(8 << 20)
    head = (f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n"
            f"{length.format(size=len(body))}\r\n\r\n").encode()
    if "chunked" in length:
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        try:
            connection.sendall(head + body)
            received = b""
            while piece := connection.recv(65_536):
                received += piece
        except OSError as fault:
            return repr(fault)
    found = statuses(received)
    if len(found) != 1:
        return f"{len(found)} answers"
    # The complete response, not only its beginning.
    problem = json.loads(received.partition(b"\r\n\r\n")[2])
    return found[0] if problem["status"] == found[0] else f"a body about {problem['status']}"
