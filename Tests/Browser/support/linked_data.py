"""JSON-LD as an independent reader sees it: PyLD without network access."""

import json

from pyld import jsonld


def _refuse(url, options=None):
    raise AssertionError(f"the document asks for {url}: it must carry its context itself")


jsonld.set_document_loader(_refuse)


def is_absolute(name):
    scheme, colon, rest = name.partition(":")
    return bool(colon and rest) and scheme.isascii() and scheme[:1].isalpha() \
        and scheme.replace("+", "").replace("-", "").replace(".", "").isalnum()


def expanded(document):
    return jsonld.expand(document)


def same_again(document):
    """The document, expanded and compacted with its own context."""
    return jsonld.compact(expanded(document), document["@context"])


def canonical(document):
    """Its RDF in canonical order with renamed blank nodes: equal only for isomorphic graphs."""
    return jsonld.normalize(document, {"algorithm": "URDNA2015", "format": "application/n-quads"})


def through_rdf(document):
    """The RDF of the document that is read back from the document's RDF."""
    quads = jsonld.to_rdf(document, {"format": "application/n-quads"})
    return canonical(jsonld.from_rdf(quads, {"format": "application/n-quads"}))


def plain(value):
    """Removes differences that JSON-LD ignores: the context, and lists with a single item."""
    if isinstance(value, list):
        return plain(value[0]) if len(value) == 1 else [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key != "@context"}
    return value


def names(value):
    """Every key, type and identifier of an expanded document."""
    if isinstance(value, list):
        return set().union(*(names(item) for item in value), set())
    if not isinstance(value, dict):
        return set()
    found = {key for key in value if not key.startswith("@")}
    found.update(value.get("@type", []) if isinstance(value.get("@type"), list) else [])
    found.update([value["@id"]] if "@id" in value else [])
    return found.union(*(names(item) for key, item in value.items() if key not in ("@type", "@id")), set())


def lost(document):
    """The data that an independent reader would lose; empty if nothing is lost."""
    faults = []
    first = expanded(document)
    faults += [f"not absolute: {name}" for name in sorted(names(first)) if not is_absolute(name)]
    before, after = plain(document), plain(same_again(document))
    if before != after:
        faults.append(f"not the same again:\n{_text(before)}\n{_text(after)}")
    if canonical(document) != through_rdf(document):
        faults.append("RDF and back is another graph")
    return faults


def _text(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
