"""Records and receipts of choices, read with a JSON-LD library like any other program would."""

import csv
import datetime
import itertools
import json
import unittest
import uuid

from support.accounts import confirmed_person
from support.farol import HOME, Farol, new_folder
from support.keeping import ITEMS
from support.linked_data import expanded, lost, names

SEED = HOME / "seed"
# Portugal, England, Switzerland, California, and the open sea.
PLACES = {"PT": [-8.5, 39.0], "GB": [-1.5, 52.5], "CH": [7.6, 46.9], "US": [-119.5, 36.7], None: [-30.0, 20.0]}
BASES = ["consent", "explicit_consent", "legitimate_interest", "public_task", "contract", "none_stated"]
VOCABULARIES = {
    "https://w3id.org/dpv#": "dpv", "https://w3id.org/dpv/pd#": "pd", "https://w3id.org/dpv/tech#": "tech",
    "https://w3id.org/dpv/loc#": "loc", "https://w3id.org/dpv/legal/eu/gdpr#": "eu-gdpr",
}
PROFILE = "https://w3id.org/dpv/schema/dpv-27560"


def seed(path):
    return json.loads((SEED / path).read_text())


def codes(scheme):
    return [term["code"] for term in seed(f"taxonomies/{scheme}.json")["terms"]]


def terms():
    """All terms of DPV 2.3 by their IRI."""
    found = set()
    for file in VOCABULARIES.values():
        with open(SEED / f"dpv/{file}.csv", newline="") as rows:
            found.update(row["iri"] for row in csv.DictReader(rows))
    return found


def ways():
    """Sequences of events that lead to every state, and every reason with its own term."""
    today = datetime.date.today()
    day = lambda ago: (today - datetime.timedelta(days=ago)).isoformat()
    sent = {"event": "sent", "at": day(20), "channel": "email"}
    reasons = seed("rights/rights.json")["reasons"]
    refusals = [{"event": "refused", "at": day(3), "reason": reason["code"]} for reason in reasons["refusal"]]
    longer = [{"event": "extended", "at": day(9), "reason": reason["code"]} for reason in reasons["extension"]]
    yield "wanted", []
    yield "sent", [sent | {"channel": "url"}]
    yield "overdue", [sent | {"at": day(200), "channel": "post"}]
    yield "acknowledged", [sent, {"event": "acknowledged", "at": day(10), "note": "By phone."}]
    for event in longer:
        yield "extended", [sent | {"channel": "post"}, event]
    yield "honoured", [sent, {"event": "honoured", "at": day(2)}]
    for event in refusals:
        yield "refused", [sent, event]
    yield "complained", [sent, refusals[0], {"event": "complained", "at": day(1)}]
    yield "withdrawn", [sent, {"event": "withdrawn", "at": day(1)}]
    yield "withdrawn", [{"event": "withdrawn", "at": day(1)}]


class RecordTests(unittest.TestCase):
    """One ledger with choices of every kind, in every state and under every law, moved into an account."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.farol = Farol(new_folder()).start()
        cls.addClassCleanup(cls.farol.stop)
        cls.person = confirmed_person(cls.farol, "maria")
        cls.kinds = [kind for kind, found in seed("rights/rights.json")["choices"].items() if found]
        cls.kinds.remove("complain")
        cls.fill()
        cls.documents = [(choice, name, cls.document(choice, name))
                         for choice in cls.choices for name in ("record", "receipt")]

    @classmethod
    def fill(cls):
        sent, turns = [], itertools.cycle(ways())
        for country, place in PLACES.items():
            for basis in BASES:
                device = cls.device(country, place, basis)
                for kind in cls.kinds:
                    state, events = next(turns)
                    sent.append({
                        "id": str(uuid.uuid4()), "device": {"id": device}, "kind": kind, "state": state,
                        "country": country, "regime": "us-ca" if country == "US" else None,
                        "language": ("en", "pt")[len(sent) % 2], "events": events,
                    })
        imported = []
        for start in range(0, len(sent), 200):
            _, _, answer = cls.person.send("POST", "/api/choices/import", {
                "choices": sent[start:start + 200]}, expect=200)
            imported += answer["imported"]
        cls.choices = [cls.person.send("GET", f"/api/choices/{choice}", expect=200)[2] for choice in imported]

    @classmethod
    def device(cls, country, place, basis):
        more = (PLACES[country][0] + BASES.index(basis) / 100, place[1])
        _, _, feature = cls.person.send("POST", ITEMS, {
            "type": "Feature", "geometry": {"type": "Point", "coordinates": list(more)},
            "properties": {
                "name": f"{basis} {country}", "category": "camera_fixed", "precision": "exact",
                "legal_basis": basis, "purposes": codes("purposes"), "data_collected": codes("data"),
                "retention": ["P30D", "unknown", "PT0S"][BASES.index(basis) % 3],
                "operator": {"name": "Cidade «Ç» & Co", "kind": "public", "contact": "office@example.org"},
                "choices": [{"kind": kind} for kind in cls.kinds],
            }}, expect=201)
        return feature["id"]

    @classmethod
    def document(cls, choice, name):
        _, headers, document = cls.person.send("GET", f"/api/choices/{choice['id']}/{name}", expect=200)
        assert headers["Content-Type"] == "application/ld+json", headers["Content-Type"]
        return document

    def test_contains_every_kind_right_law_and_state(self):
        rights = [right["code"] for right in seed("rights/rights.json")["rights"]]
        self.assertEqual({choice["kind"] for choice in self.choices}, set(self.kinds))
        self.assertEqual({choice["right"] for choice in self.choices} - {None}, set(rights) - {"complain"})
        self.assertEqual({choice["regime"] for choice in self.choices}, {"eu-gdpr", "uk-gdpr", "ch-fadp", "us-ca", None})
        states = {"overdue" if choice["overdue"] else choice["state"] for choice in self.choices}
        self.assertEqual(states, {state for state, _ in ways()})

    def test_expansion_loses_nothing(self):
        for choice, name, document in self.documents:
            with self.subTest(name, kind=choice["kind"], regime=choice["regime"], state=choice["state"]):
                self.assertEqual(lost(document), [])

    def test_the_check_detects_lost_data(self):
        document = self.documents[0][2]
        self.assertNotEqual(lost(document | {"colour": "red"}), [])
        self.assertNotEqual(lost(document | {"dct:isPartOf": {"@id": "somewhere"}}), [])
        self.assertNotEqual(lost(document | {"dct:title": None}), [])

    def test_every_dpv_term_exists_in_dpv(self):
        used = set().union(*(names(expanded(document)) for _, _, document in self.documents))
        of_dpv = {name for name in used if name.startswith("https://w3id.org/dpv")}
        profiles = {name for name in of_dpv if name.startswith(PROFILE)}
        self.assertEqual(sorted(of_dpv - profiles - terms()), [])
        self.assertGreater(len(of_dpv), 100)
        self.assertEqual(profiles, {PROFILE + part for part in (
            "#record-eu-gdpr", "#receipt-eu-gdpr", "#record", "#receipt")})

    def test_a_consent_record_contains_the_fields_of_iso_27560(self):
        found = 0
        for choice, name, document in self.documents:
            record = document if name == "record" else document["dpv:hasRecordOfActivity"]
            if record["@type"] != "dpv:ConsentRecord":
                continue
            found += 1
            with self.subTest(choice["state"], country=choice["country"]):
                self.assertEqual([member for member in (
                    "@id", "dct:identifier", "dct:conformsTo", "dpv:hasDataSubject", "dpv:hasNotice",
                    "dpv:hasDataController", "dpv:hasEntity", "dpv:hasProcess", "dpv:hasJurisdiction",
                    "dpv:hasConsentStatus") if not record.get(member)], [])
                self.assertTrue(record["dpv:hasNotice"]["dct:language"])
                self.assertEqual([member for member in (
                    "dpv:hasPurpose", "dpv:hasPersonalData", "dpv:hasStorageCondition", "dpv:hasRecipient",
                    "dpv:hasConsentControl", "dpv:hasRight") if not record["dpv:hasProcess"].get(member)], [])
                for entity in record["dpv:hasEntity"]:
                    self.assertTrue(entity["@id"] and entity["@type"], entity)
                for status in record["dpv:hasConsentStatus"]:
                    self.assertEqual([member for member in (
                        "@type", "dpv:isIndicatedAtTime", "dpv:isIndicatedBy", "dpv:hasDuration")
                        if not status.get(member)], [])
        self.assertGreater(found, 10)

    def test_a_receipt_names_its_subject(self):
        for choice, name, document in self.documents:
            if name == "receipt":
                record = document["dpv:hasRecordOfActivity"]
                self.assertEqual(record["dct:identifier"], choice["id"])
                self.assertNotEqual(document["dct:identifier"], choice["id"])
                self.assertTrue(document["dct:created"] and document["@id"])

    def test_no_document_identifies_the_person(self):
        for _, _, document in self.documents:
            text = json.dumps(document)
            self.assertNotIn(self.person.username, text)
            self.assertNotIn(self.person.email, text)
