"""The scripts and style sheets that a page names, as a browser without stored files requests them, without the libraries.

Links in a template are not requested before a script puts them into the page.
"""

import functools
import gzip
import re
import urllib.request

NAMED = re.compile(r'(?:src|href)="(/assets/(?!maplibre-gl-|echarts-)[^"]+\.(?:js|css))"')
TEMPLATE = re.compile(r"<template\b.*?</template>", re.S)


def packed(address):
    """The body as the server sends it to a browser that accepts gzip."""
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


@functools.cache
def size(address):
    return len(packed(address))


def page_files(server, path):
    """The number and the packed bytes of the scripts, and those of the style sheets."""
    page = packed(server + path)
    text = TEMPLATE.sub("", (gzip.decompress(page) if page[:2] == b"\x1f\x8b" else page).decode())
    found = {}
    for kind in ("js", "css"):
        names = sorted({name for name in NAMED.findall(text) if name.endswith("." + kind)})
        found[kind] = (len(names), sum(size(server + name) for name in names))
    return found
