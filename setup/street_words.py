"""The words of street names as the address search compares them."""

import unicodedata
from pathlib import Path
from typing import NamedTuple

# Letters that have no accent to remove.
LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
# German and Dutch write these at the end of the name: «Hauptstraße», «Hauptstr.».
ENDINGS = {"strasse": "str", "straat": "str"}


class StreetWords(NamedTuple):
    pairs: list[tuple[str, str]]  # abbreviation and word
    full: dict[str, list[str]]  # the words of an abbreviation
    before: set[str]  # words of streets whose house number comes first


def read(path: Path = Path(__file__).with_name("street-words.tsv")) -> StreetWords:
    pairs, before = [], set()
    for line in path.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        word, short, *flags = line.split("\t")
        pairs += [(abbreviation, word) for abbreviation in short.split()]
        if "before" in flags:
            before |= {word, *short.split()}
    full: dict[str, list[str]] = {}
    for abbreviation, word in pairs:
        full.setdefault(abbreviation, []).append(word)
    # «st», «r» and «av» begin names of other languages too.
    return StreetWords(sorted(set(pairs)), full, before - {"r", "av", "st", "ter", "gr", "cl", "ch", "pl"})


def plain(text: str) -> str:
    """Lower case without accents, words apart.

    >>> plain("Äulestraße"), plain("Praça D. João I"), plain("Łódź")
    ('aulestrasse', 'praca d joao i', 'lodz')
    """
    return " ".join(_split(text.lower().translate(LETTERS)))


def _split(text: str) -> list[str]:
    letters = (c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    return "".join(c if c.isalnum() else " " for c in letters).split()


def search_text(name: str, words: StreetWords) -> str:
    """All words by which people may search for a name.

    >>> search_text("Königstr.", read())
    'konigstr koenigstr konigstrasse strasse str'
    >>> search_text("Av. da República", read())
    'av da republica avenue avenida'
    """
    own = plain(name).split()
    found = [*own, *_split(unicodedata.normalize("NFC", name).lower().translate(UMLAUTS).translate(LETTERS))]
    for word in own:
        found += words.full.get(word, [])
        for ending, short in ENDINGS.items():
            if word.endswith(ending) and word != ending:
                found += [word.removesuffix(ending) + short, ending]
        if word.endswith("str") and len(word) > 4:
            found += [word + "asse", "strasse", "str"]
    if len(own) > 1 and own[-1] in {"strasse", "str"}:
        found.append("".join(own[:-1]) + "strasse")
    return " ".join(dict.fromkeys(found))


def number_first(name: str, words: StreetWords) -> bool:
    """Whether people write the house number before the name.

    >>> [number_first(name, read()) for name in ("Downing Street", "Rue de Rivoli", "Rua Garrett", "Avenida 24 de Julho")]
    [True, True, False, False]
    """
    return any(word in words.before for word in plain(name).split())
