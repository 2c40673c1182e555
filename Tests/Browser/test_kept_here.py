"""Data that remain in a browser after signing out, and after «Delete what this browser keeps»."""

import re

from playwright.sync_api import expect

from support.farol import HOME
from support.keeping import WritingTest, known

# Everything that this origin stores in the browser. Databases count with their contents.
HELD = """async () => {
  const databases = [];
  for (const { name } of await indexedDB.databases()) databases.push(name);
  const cached = [];
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) cached.push(`${name} ${new URL(url).pathname}`);
  }
  return { local: Object.keys(localStorage).sort(), tab: Object.keys(sessionStorage).sort(),
    databases: databases.sort(), cached };
}"""
# The addresses of everything in the caches, with their queries.
CACHED = """async () => (await Promise.all((await caches.keys()).map(async (name) => (
  (await (await caches.open(name)).keys()).map(({ url }) => url))))).flat()"""
WORDS = "Selvagem"


class KeptHereTests(WritingTest):
    # The tests mark each page as signed in, also after the session has ended.
    allowed_errors = (r"401 \(Unauthorized\).*/api/session",)

    def used(self, username):
        """A page of a user who has searched, looked at the map and begun an edit."""
        device = self.add_device(by=username, name="Kept camera")
        page = self.page_of(username, service_workers="allow")
        page.goto("/#map=14.00/-30.0000/20.0500")
        self.until(lambda: page.evaluate("() => Boolean(navigator.serviceWorker.controller)"),
                   "the service worker to take over")
        page.reload()
        self.settled(page)
        page.evaluate("""async (words) => {
          await fetch(`/api/places?q=${words}`);
          await fetch('/api/collections/devices/items?bbox=19.9,-30.1,20.2,-29.9&limit=5');
        }""", WORDS)
        page.evaluate("""() => {
          localStorage.setItem('farol.theme', 'dark');
          localStorage.setItem('farol.view', '14.00/-30.0000/20.0500');
          localStorage.setItem('farol.language', 'en');
        }""")
        page.goto(f"/devices/{device}")
        page.goto(f"/devices/{device}/edit")
        expect(page.locator(".edit-form")).to_be_visible()
        page.locator("#open-name").click()
        page.locator("#body-name").get_by_role("textbox").fill("Secret thought")
        self.until(lambda: "farol-edits" in page.evaluate(HELD)["databases"], "the edit to be kept")
        self.until(lambda: any(WORDS in url for url in page.evaluate(CACHED)), "the search to be cached")
        return page

    def sign_out(self, page):
        page.locator(".menu-button").click()
        page.get_by_role("button", name="Sign out").click()

    def test_signing_out_deletes_unsaved_edits_and_what_the_user_read(self):
        page = self.used("rosa")
        page.goto("/about")
        self.assertIn("farol.view", page.evaluate(HELD)["local"])
        self.sign_out(page)
        expect(page.locator("dialog.ask")).to_contain_text("Signing out deletes 1 unsaved edit")
        page.get_by_role("button", name="Stay signed in").click()
        self.assertIn("farol-edits", page.evaluate(HELD)["databases"])
        page.keyboard.press("Escape")
        self.sign_out(page)
        page.get_by_role("button", name="Delete and sign out").click()
        expect(page.locator(".toast")).to_have_text("You are signed out")
        held = page.evaluate(HELD)
        self.assertNotIn("farol-edits", held["databases"])
        for name in ("farol.view", "farol.signed-in", "farol.look"):
            self.assertNotIn(name, held["local"])
        self.assertEqual({name.split("-")[1] for name in held["cached"]} - {"shell", "words"}, set())
        self.assertIn("farol.theme", held["local"])

    def test_signing_out_on_the_form_deletes_its_edit(self):
        page = self.used("rita")
        self.sign_out(page)
        page.get_by_role("button", name="Delete and sign out").click()
        expect(page.locator("#edit-save")).to_have_text("Sign in and save")
        expect(page.locator(".edit-form")).not_to_contain_text("Secret thought")

    def test_deleting_leaves_only_the_files_of_the_program(self):
        page = self.used("raul")
        # Separate databases hold a draft, a choice and a watch without an account.
        # The modules as they are before the build.
        page.route("**/sources/js/**", lambda route: route.fulfill(
            path=HOME / "public" / route.request.url.split("/sources/")[1], content_type="text/javascript"))
        page.evaluate("""async () => {
          const load = (path) => import(`/sources/js/${path}`);
          const { watchStore } = await load('local-watches/store.js');
          const { newWatch } = await load('local-watches/watch.js');
          const area = { type: 'box', box: [20, -30, 20.1, -29.9] };
          const watch = newWatch('w', { label: 'My street', area, filters: {} }, Date.now());
          await (await watchStore()).add({ ...watch, isPaused: true });
          const { noteKept } = await load('ledger/kept.js');
          noteKept(1, '2027-01-01');
          const { openBrowserLedger } = await load('ledger/browser-ledger.js');
          await openBrowserLedger({ now: () => new Date(), ask: async () => ({}) }, () => undefined);
          const { draftStore } = await load('drafts/draft-store.js');
          const { newDraft } = await load('drafts/draft.js');
          await (await draftStore()).add(newDraft({ id: 'd', key: 'k', now: Date.now() }));
          const { keepChoices } = await load('mapping/kept.js');
          keepChoices({ file: 'list.csv', columns: ['a'], choices: {} });
        }""")
        held = page.evaluate(HELD)
        self.assertLessEqual({"farol-drafts", "farol-edits", "farol-ledger", "farol-watches"}, set(held["databases"]))
        self.assertIn("farol.mapping", held["tab"])
        page.goto("/about")
        page.get_by_role("button", name="Delete what this browser keeps").click()
        page.get_by_role("button", name="Keep them").click()
        self.assertIn("farol-edits", page.evaluate(HELD)["databases"])
        page.get_by_role("button", name="Delete what this browser keeps").click()
        page.get_by_role("button", name="Delete everything").click()
        expect(page.locator(".toast")).to_have_text("Everything was deleted from this browser")
        held = page.evaluate(HELD)
        self.assertEqual((held["local"], held["tab"], held["databases"]), ([], [], []))
        self.assertTrue(held["cached"])
        self.assertEqual([name for name in held["cached"] if not re.match(r"farol-shell-\w+ /", name)], [])
        self.assertEqual(known("raul").send("GET", "/api/session")[0], 401)
        page.goto("/account")
        expect(page.get_by_role("heading", name=re.compile("Sign in"))).to_be_visible()
