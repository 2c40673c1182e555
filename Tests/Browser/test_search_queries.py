"""The first suggestions of many search texts, in both languages: how often the first one, and one of the first three,
is what people expect. Prints the figures and the texts that miss.

Words of `fixtures/searches.tsv`: `city NAME COUNTRY`, `region …` and `country …` are places, with the English name;
`town …` is a place instead of an address that was not found. `cameras in city …` is a group or a category in a place,
`cameras here` around the user, `anything` stands for all kinds. Further: `group CODE`, `category CODE`,
`position LONGITUDE LATITUDE`, `device NAME`, `words`.
"""

from pathlib import Path

from support.case import OCEAN, BrowserTest
from support.farol import HOME, own_farol

SEARCHES = Path(__file__).resolve().parent / "fixtures/searches.tsv"
SHOWN = 3  # suggestions that a phone shows beside its keyboard
FIRST = 0.95  # share of texts whose first suggestion is the expected one
AMONG_SHOWN = 0.97

# Asks as the search field does, without its pauses for people who type.
ASK = """async (searches) => {
  const main = document.querySelector('script[src$="/js/main.js"]').src;
  const { Answers } = await import(new URL('search/answers.js', main).href);
  const named = ({ kind, place, group, term, feature, longitude, latitude, isInstead }) => ({
    kind, place: place && String(place.id), code: (group ?? term)?.code ?? null, isInstead: Boolean(isInstead),
    name: feature?.properties.name ?? null, at: [longitude, latitude],
  });
  const found = [];
  for (const { typed, near } of searches) {
    const answers = new Answers(() => near);
    const begun = await answers.begin(typed);
    const answer = begun.isWhole ? begun : await answers.finish(begun);
    found.push(answer.found.slice(0, 3).map(named));
  }
  return found;
}"""


def read_searches():
    searches = []
    for line in SEARCHES.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        typed, near, expected, *portuguese = line.split("\t")
        searches.append({
            "typed": typed, "near": [float(part) for part in near.split(",")] if near else None,
            "en": expected, "pt": portuguese[0] if portuguese else expected,
        })
    return searches


class SearchQueryTests(BrowserTest):
    @classmethod
    def setUpClass(cls):
        cls.server = own_farol()
        cls.server.settings = {"FAROL_FRONT": str(HOME / "public")}  # with the names of the modules
        cls.server.start()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def farol(self):
        return self.server

    def setUp(self):
        super().setUp()
        self.places = {}

    def place(self, number):
        """A place as the list of searches writes it."""
        if number not in self.places:
            found = self.farol().get(f"/api/places?id={number}")["places"][0]
            self.places[number] = f"{found['kind']} {found['name']} {found['country']}"
        return self.places[number]

    def words(self, one):
        """A suggestion as the list of searches writes it."""
        kind, place, code = one["kind"], one["place"], one["code"]
        named = place and ("town " if one["isInstead"] else "") + self.place(place)
        match kind:
            case "meaning":
                return f"{code or 'anything'} in {named}" if place else f"{code or 'anything'} here"
            case "place":
                return named
            case "position":
                return "position " + " ".join(f"{part:g}" for part in one["at"])
            case "device":
                return f"device {one['name']}"
            case "words":
                return "words"
            case _:
                return f"{kind} {code}"

    def test_the_first_suggestions_are_what_people_expect(self):
        searches = read_searches()
        self.assertGreaterEqual(len(searches), 200)
        for language in ("en", "pt"):
            with self.subTest(language):
                page = self.open(OCEAN, language=language)
                found = page.evaluate(ASK, searches)
                first = shown = 0
                missed = []
                for search, suggestions in zip(searches, found, strict=True):
                    words = [self.words(one) for one in suggestions]
                    first += words[:1] == [search[language]]
                    shown += search[language] in words[:SHOWN]
                    if words[:1] != [search[language]]:
                        missed.append(f"  {search['typed']}: {search[language]}, not {' | '.join(words)}")
                print(f"\n{language}: {len(searches)} searches, first right {first / len(searches):.1%}, "
                      f"first {SHOWN} right {shown / len(searches):.1%}", *missed, sep="\n")
                self.assertGreaterEqual(first / len(searches), FIRST)
                self.assertGreaterEqual(shown / len(searches), AMONG_SHOWN)
