"""The screens of the form that adds a device."""

from playwright.sync_api import expect

from support.waiting import until

DRAFTS = """async () => {
  const request = indexedDB.open('farol-drafts');
  const database = await new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  if (!database.objectStoreNames.contains('draft')) return [];
  const all = database.transaction('draft').objectStore('draft').getAll();
  const drafts = await new Promise((resolve) => { all.onsuccess = () => resolve(all.result); });
  database.close();
  return drafts;
}"""

# The drawn shapes of the draft: the parts of its source, each with its geometry.
DRAWN = """() => {
  const data = keptMaps[0].getSource('draft')?._data;
  if (!data) return [];
  return (data.geojson ?? data).features.map((one) => [one.properties.part, one.geometry.coordinates]);
}"""


class Adding:
    """The form on a page."""

    def __init__(self, page):
        self.page = page

    def begin(self):
        self.page.locator(".add-button").click()
        self.asks("Where is it?")
        return self

    def asks(self, title):
        """Waits for a question, or for one that matches a pattern."""
        expect(self.page.locator("#add-title")).to_have_text(title)
        return self

    @property
    def title(self):
        return self.page.locator("#add-title").inner_text()

    def next(self):
        """Presses the button for the next step, whatever its label."""
        self.page.locator(".add-foot .primary").click()
        return self

    def here(self):
        """Uses the place under the crosshair."""
        expect(self.page.locator(".crosshair")).to_be_visible()
        self.next()
        return self.asks("What is it?")

    def kind(self, category):
        self.page.locator(f".kinds .answer:has(input[value={category}])").click()
        expect(self.page.locator("#add-title")).not_to_have_text("What is it?")
        return self

    def choose(self, code):
        self.page.locator(f".answer:has(input[value='{code}'])").click()
        return self

    def until_asks(self, title):
        """Skips questions until this one appears."""
        for _ in range(30):
            now = self.title
            if now == title:
                return self
            self.next()
            until(lambda: self.title != now, f"a question after “{now}”")
        raise AssertionError(f"“{title}” never came")

    def finish(self):
        """Opens the review of the answers so far."""
        self.page.get_by_role("button", name="Check the answers first").click()
        return self.asks("Ready to send?")

    def done(self):
        """Sends the answers so far."""
        self.page.get_by_role("button", name="Done, send now").click()
        return self

    def quickly(self, category="camera_fixed"):
        """From the map to the review, with only the required answers."""
        self.begin().here().kind(category)
        if self.title == "Is it one of these?":
            self.other_one()
        return self.asks("What do you call it?").finish()

    def other_one(self, reason="It is next to it, and both exist"):
        self.page.locator(".same-reasons").get_by_role("button", name=reason).click()
        return self

    def drafts(self):
        """The drafts in the browser."""
        return self.page.evaluate(DRAFTS)

    def draft(self, ready):
        """The single draft, as soon as it meets a condition."""
        return until(lambda: next((one for one in self.drafts() if ready(one)), None), "the draft to be kept")

    def drawn(self):
        """The shapes of the draft on the map: (part, coordinates)."""
        return self.page.evaluate(DRAWN)
