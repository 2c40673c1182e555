"""feedparser reads the Atom feed, as feed readers do; its entries are those of the JSON Feed."""

import unittest

import feedparser

from clauses import ask


class FeedTests(unittest.TestCase):
    def test_the_atom_feed_is_well_formed_and_has_the_entries_of_the_json_feed(self):
        feed = feedparser.parse(ask("/api/feeds/devices.atom", limit=100).body)
        self.assertFalse(feed.bozo, feed.get("bozo_exception"))
        self.assertEqual(feed.version, "atom10")
        items = ask("/api/feeds/devices.json", limit=100).json["items"]
        self.assertEqual(len(items), 100)
        for entry, item in zip(feed.entries, items, strict=True):
            with self.subTest(entry.id):
                self.assertEqual((entry.id, entry.link, entry.title), (item["id"], item["url"], item["title"]))
                self.assertEqual((entry.published, entry.updated), (item["date_published"], item["date_modified"]))
                self.assertEqual(entry.where["type"], "Point")
                self.assertTrue(entry.rights and entry.summary)

    def test_the_pages_of_a_feed_have_each_entry_once(self):
        found, address = [], "/api/feeds/devices.atom?limit=100"
        for _ in range(3):
            feed = feedparser.parse(ask(address).body)
            found += [entry.id for entry in feed.entries]
            address = next(link.href for link in feed.feed.links if link.rel == "next")
        self.assertEqual((len(found), len(set(found))), (300, 300))
