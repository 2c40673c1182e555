"""Malformed or ambiguous HTTP requests, with the required outcome of each."""

from dataclasses import dataclass

CLOSED = "closed"    # no response, and the connection is closed
STAYS = "stays"      # a response, and the connection may be used again
CLOSES = "closes"    # a response, and the connection is closed


@dataclass
class Message:
    name: str
    bytes: bytes
    # The statuses of the responses, in order; a set where each of its statuses is allowed.
    statuses: tuple
    end: str = CLOSES


def get(fields="", path="/healthz", version="HTTP/1.1", host="Host: a\r\n"):
    return f"GET {path} {version}\r\n{host}{fields}\r\n".encode("latin-1")


def post(fields, body=b"", path="/api/session"):
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n{fields}\r\n"
    return head.encode("latin-1") + body


INNER = b"GET /api/settings HTTP/1.1\r\nHost: a\r\n\r\n"
TLS_HELLO = bytes.fromhex(
    "16030100c8010000c40303") + bytes(range(32)) + bytes.fromhex("20") + bytes(32) + bytes.fromhex(
    "0002130101000079") + bytes(121)

MESSAGES = [
    Message("an ordinary request", get(), (200,), STAYS),
    # The length of a body, stated in two ways: the second request must never get a response.
    Message("length and chunks", post(
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n" + INNER), (400,)),
    Message("chunks and length", post(
        "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", b"0\r\n\r\n" + INNER), (400,)),
    Message("two lengths that agree", post(
        "Content-Length: 0\r\nContent-Length: 0\r\n", INNER), (400,)),
    Message("two lengths that differ", post(
        "Content-Length: 0\r\nContent-Length: 40\r\n", INNER), (400,)),
    Message("a list of lengths", post("Content-Length: 5, 5\r\n", b"{}   "), (400,)),
    Message("a negative length", post("Content-Length: -1\r\n"), (400,)),
    Message("a length with a sign", post("Content-Length: +2\r\n", b"{}"), (400,)),
    Message("a hexadecimal length", post("Content-Length: 0x2\r\n", b"{}"), (400,)),
    Message("a length beyond 64 bits", post("Content-Length: 99999999999999999999\r\n"), ({400, 413},)),
    Message("a length of 2^63", post("Content-Length: 9223372036854775808\r\n"), ({400, 413},)),
    Message("an empty length", post("Content-Length: \r\n"), (400,)),
    Message("chunks twice", post(
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"), (400,)),
    Message("chunks after another coding", post(
        "Transfer-Encoding: gzip, chunked\r\n", b"0\r\n\r\n"), (400,)),
    Message("another coding after chunks", post(
        "Transfer-Encoding: chunked, identity\r\n", b"0\r\n\r\n"), (400,)),
    Message("an unknown coding", post("Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n"), (400,)),
    Message("a coding with a space before the colon", post(
        "Transfer-Encoding : chunked\r\n", b"0\r\n\r\n"), (400,)),
    Message("a coding behind a vertical tab", post(
        "Transfer-Encoding: \x0bchunked\r\n", b"0\r\n\r\n"), (400,)),
    Message("a folded coding", post("Transfer-Encoding:\r\n chunked\r\n", b"0\r\n\r\n"), (400,)),
    Message("chunks in HTTP/1.0",
            b"POST /api/session HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", (400,)),
    # Chunks.
    Message("a chunk size that is not a number", post("Transfer-Encoding: chunked\r\n", b"zz\r\n{}\r\n0\r\n\r\n"),
            (), CLOSED),
    Message("a chunk longer than 64 bits", post(
        "Transfer-Encoding: chunked\r\n", b"fffffffffffffffff\r\n{}\r\n0\r\n\r\n"), (), CLOSED),
    Message("a negative chunk size", post(
        "Transfer-Encoding: chunked\r\n", b"-2\r\n{}\r\n0\r\n\r\n"), (), CLOSED),
    Message("a chunk longer than its size", post(
        "Transfer-Encoding: chunked\r\n", b"2\r\n{}{}\r\n0\r\n\r\n"), (), CLOSED),
    Message("a chunk size in 0x", post(
        "Transfer-Encoding: chunked\r\n", b"0x2\r\n{}\r\n0\r\n\r\n"), (), CLOSED),
    # Host headers.
    Message("no host", get(host=""), (400,)),
    Message("two hosts", get("Host: b\r\n"), (400,)),
    Message("a host with a path", get(host="Host: a/b\r\n"), (400,)),
    Message("a host with a login", get(host="Host: a@b\r\n"), (400,)),
    # Request targets.
    Message("absolute form", get(path="http://a/healthz"), (200,), STAYS),
    Message("absolute form of another scheme", get(path="gopher://a/healthz"), (400,)),
    Message("authority form", b"CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", (400,)),
    Message("asterisk form", b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", (204,), STAYS),
    Message("asterisk form with GET", get(path="*"), (400,)),
    Message("no target", b"GET  HTTP/1.1\r\nHost: a\r\n\r\n", (400,)),
    Message("a target with a space", get(path="/heal thz"), (400,)),
    Message("a target with NUL", get(path="/healthz\0"), (400,)),
    Message("an encoded NUL", get(path="/healthz%00"), (400,)),
    Message("a path with ..", get(path="/assets/../../etc/passwd"), (400,)),
    Message("a path with encoded ..", get(path="/assets/%2e%2e/%2e%2e/etc/passwd"), (400,)),
    Message("a path with overlong encoded ..", get(path="/assets/%c0%ae%c0%ae/etc/passwd"), (400,)),
    Message("a target of 33 KiB", get(path="/" + "a" * 33_792), (414,)),
    # Request headers.
    Message("a bare LF after the request line", b"GET /healthz HTTP/1.1\nHost: a\r\n\r\n", (400,)),
    Message("bare LFs alone", b"GET /healthz HTTP/1.1\nHost: a\n\n", (400,)),
    Message("a bare CR in a field", get("X-A: a\rX-B: b\r\n"), (400,)),
    Message("NUL in a field", get("X-A: a\0b\r\n"), (400,)),
    Message("a folded field", get("X-A: a\r\n b\r\n"), (400,)),
    Message("a field without colon", get("X-A\r\n"), (400,)),
    Message("a field without name", get(": a\r\n"), (400,)),
    Message("a space before the first field", b"GET /healthz HTTP/1.1\r\n Host: a\r\n\r\n", (400,)),
    Message("101 fields", get("".join(f"X-{n}: a\r\n" for n in range(100))), (400,)),
    Message("a field of 100 KiB", get("X-A: " + "a" * 102_400 + "\r\n"), (431,)),
    Message("a method that is not a token", b"G(T /healthz HTTP/1.1\r\nHost: a\r\n\r\n", (400,)),
    Message("a method in small letters", b"get /healthz HTTP/1.1\r\nHost: a\r\n\r\n", ({405, 501},)),
    # Versions and other protocols.
    Message("HTTP/0.9", b"GET /healthz\r\n\r\n", (400,)),
    Message("HTTP/1.0", b"GET /healthz HTTP/1.0\r\n\r\n", (200,)),
    Message("HTTP/1.2", get(version="HTTP/1.2"), (400,)),
    Message("HTTP/2.0", get(version="HTTP/2.0"), ({400, 505},)),
    Message("the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ({400, 505},)),
    Message("a TLS hello", TLS_HELLO, (), CLOSED),
    Message("the greeting of SSH", b"SSH-2.0-OpenSSH_9.2\r\n", (), CLOSED),
    Message("zeros", bytes(4_096), (), CLOSED),
    # Pipelining.
    Message("three requests at once", get() * 3, (200, 200, 200), STAYS),
    Message("a valid request, then an invalid one", get() + get(host=""), (200, 400)),
    Message("an invalid request, then a valid one", get(host="") + get(), (400,)),
    Message("an upgrade to HTTP/2", get(
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA\r\n"), (200,),
        STAYS),
    Message("an unknown expectation", get("Expect: 200-perhaps\r\n"), ({200, 417},), STAYS),
]
