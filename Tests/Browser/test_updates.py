"""Updates of Farol: pages of one release and servers of another, tabs that were open before, and offline pages."""

import functools
import re
import urllib.error
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.acts import unfold
from support.case import FUNCHAL, BrowserTest
from support.farol import own_farol
from support.releases import OneDatabase, Proxy, ServerFarol, release

ONE, TWO = "one", "two"
RELEASES = "() => ({ ...globalThis.release, css: getComputedStyle(document.documentElement)" \
    ".getPropertyValue('--release').trim() })"
CACHES = """async () => Object.fromEntries(await Promise.all((await caches.keys()).sort().map(async (name) => [
  name, (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)])))"""


def named(farol, path="/"):
    """The release that a page of a server names, and the addresses of its files."""
    page = farol.get(path, raw=True).decode()
    own = re.search(r'name="farol-release" content="(\w+)"', page)[1]
    return own, sorted(set(re.findall(r'(?:"|&quot;)(/assets/[^"&]+)', page)))


class RollingUpgradeTests(BrowserTest):
    """Two servers of different releases behind one address, as during a rolling upgrade."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        database = cls.enterClassContext(OneDatabase())
        cls.old = ServerFarol(database.url, ONE).start()
        cls.addClassCleanup(cls.old.stop)
        cls.new = ServerFarol(database.url, TWO, cls.old.folder / "farol.key").start()
        cls.addClassCleanup(cls.new.stop)
        cls.proxy = cls.enterClassContext(Proxy(cls.old, cls.new))

    def farol(self):
        return self.proxy

    def missing(self):
        return [(path, status) for path, _, status in self.proxy.sent if status >= 400]

    def test_each_server_serves_every_file_of_both(self):
        for page in ("/", "/about", "/sign-in", "/choices"):
            for asked, other in ((self.new, self.old), (self.old, self.new)):
                own, files = named(asked, page)
                self.assertNotEqual(own, named(other, page)[0])
                for file in files:
                    self.assertEqual(other.get(file, raw=True), asked.get(file, raw=True), file)

    def test_a_page_of_the_new_server_gets_all_files_from_the_old_one_and_vice_versa(self):
        for page_of, files_of, name in ((self.new, self.old, TWO), (self.old, self.new, ONE)):
            with self.subTest(name):
                self.proxy.sent.clear()
                self.proxy.route = lambda path, a=page_of, b=files_of: b if path.startswith("/assets/") else a
                page = self.open(FUNCHAL)
                unfold(page, page.locator(".take-open")).click()
                expect(page.get_by_role("dialog")).to_be_visible()
                found = page.evaluate(RELEASES)
                self.assertEqual(set(found.values()), {name}, found)
                self.assertIn("js/data/take.js", found)
                self.assertEqual(self.missing(), [])
                page.context.close()

    def test_pages_work_while_each_request_goes_to_the_other_server(self):
        turns = iter(range(10_000))
        self.proxy.route = lambda path: (self.old, self.new)[next(turns) % 2]
        self.proxy.sent.clear()
        page = self.open(FUNCHAL)
        for path in ("/about", "/statistics", "/sign-up", "/choices", "/learn", "/"):
            page.goto(path)
            expect(page.locator("#menu-place button").first).to_be_visible()
        self.assertEqual(self.missing(), [])

    def test_unknown_files_are_still_missing(self):
        for farol in (self.old, self.new):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                farol.get("/assets/main-XXXXXXXX.js", raw=True)
            self.assertEqual(refused.exception.code, 404)
            refused.exception.close()


class UpgradeTests(BrowserTest):
    """One server that is replaced by the next release, or by the one before."""

    allowed_errors = (r"ERR_CONNECTION_REFUSED", r"ERR_INTERNET_DISCONNECTED", r"ERR_FAILED", r"ERR_EMPTY_RESPONSE",
                      r"ERR_INCOMPLETE_CHUNKED", r"status of 404", r"dynamically imported module")

    def setUp(self):
        super().setUp()
        self.server = own_farol()
        self.become(ONE)
        self.addCleanup(self.server.stop)

    def farol(self):
        return self.server

    def become(self, name):
        self.server.stop()
        self.server.settings = {"FAROL_FRONT": str(release(name))}
        self.server.start()

    def forget(self, name):
        """Removes the files of a release, as a month without its servers does."""
        with self.server.database() as database:
            for path in (release(name) / "assets").iterdir():
                database.execute("DELETE FROM front_file WHERE name = ?", [path.name])

    def test_a_tab_that_was_open_before_an_upgrade_loads_the_rest_of_its_release(self):
        page = self.open(FUNCHAL)
        self.become(TWO)
        unfold(page, page.locator(".take-open")).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        self.assertEqual(page.evaluate(RELEASES)["js/data/take.js"], ONE)
        expect(page.locator(".unexpected")).to_have_count(0)

    def test_without_these_files_the_page_says_so_and_a_reload_keeps_what_was_typed(self):
        for language, words, action in (
                ("en", "Farol was updated", "Reload the page"), ("pt", "O Farol foi atualizado", "Recarregar a página")):
            with self.subTest(language):
                self.become(ONE)
                page = self.open(FUNCHAL, language=language)
                self.become(TWO)
                self.forget(ONE)
                page.locator("#search-box input").fill("Madeira is typed")
                expect(page.get_by_role("listbox")).to_be_visible()
                page.keyboard.press("Escape")
                unfold(page, page.locator(".take-open")).click()
                expect(page.get_by_role("alert")).to_contain_text(words)
                page.get_by_role("button", name=action).click()
                self.settled(page)
                self.assertEqual(page.evaluate(RELEASES)["js/dom.js"], TWO)
                expect(page.locator("#search-box input")).to_have_value("Madeira is typed")
                page.context.close()

    def test_a_reload_keeps_no_password(self):
        page = self.open("/sign-up")
        page.get_by_label("Username").fill("ana")
        page.locator("input[type=password]").first.fill("a secret of mine")
        page.evaluate("() => dispatchEvent(new Event('before-reload'))")
        kept = page.evaluate("() => sessionStorage.getItem('farol.typed')")
        self.assertIn("ana", kept)
        self.assertNotIn("secret", kept)
        page.reload()
        expect(page.get_by_label("Username")).to_have_value("ana")
        self.assertIsNone(page.evaluate("() => sessionStorage.getItem('farol.typed')"))

    def controlled(self, path=FUNCHAL):
        """A page with its worker, which has stored the first pages."""
        page = self.open(path, service_workers="allow")
        self.until(lambda: page.evaluate("() => navigator.serviceWorker.controller !== null"), "the worker")
        return page

    def kept(self, page, path):
        """The releases in which the worker has a page."""
        found = page.evaluate(CACHES)
        return [name.removeprefix("farol-pages-") for name, paths in found.items()
                if name.startswith("farol-pages-") and path in paths]

    def test_a_visited_page_is_readable_offline_before_and_after_an_upgrade(self):
        one, two = self.release_of(ONE), self.release_of(TWO)
        device = self.server.items(limit=1)["features"][0]
        paths = [f"/devices/{device['id']}", "/sign-up"]
        page = self.controlled()
        for path in paths:
            page.goto(path)
            expect(page.locator("h1")).to_be_visible()
            self.until(lambda: self.kept(page, path) == [one], f"{path} to be stored")
        self.become(TWO)
        page.goto(FUNCHAL)
        self.until(lambda: self.kept(page, "/") == self.kept(page, "/about") == [two], "the new release to be stored")
        self.server.stop()
        for path in [*paths, "/about"]:
            page.goto(path)
            expect(page.locator("h1")).to_be_visible()
            expect(page.locator("#menu-place button").first).to_be_visible()
            found = page.evaluate(RELEASES)
            self.assertEqual({found["js/dom.js"], found["css"]}, {TWO if path == "/about" else ONE}, path)
        page.goto(FUNCHAL)
        self.settled(page)
        self.assertEqual(page.evaluate(RELEASES)["js/dom.js"], TWO)
        # A visit stores the page with the new release; the cache of the former release is then empty.
        self.server.start()
        for path in paths:
            page.goto(path)
            self.until(lambda: self.kept(page, path) == [two], f"{path} to be stored again")
        self.until(lambda: f"farol-shell-{one}" not in page.evaluate(CACHES), "the former release to be dropped")

    def release_of(self, name):
        return re.search(r'"release": "(\w+)"', (release(name) / "release.json").read_text())[1]

    def test_a_server_that_went_back_to_the_release_before(self):
        one, two = self.release_of(ONE), self.release_of(TWO)
        page = self.controlled()
        self.become(TWO)
        page.reload()
        self.until(lambda: self.kept(page, "/") == self.kept(page, "/about") == [two], "the new release to be stored")
        self.become(ONE)
        page.reload()
        self.settled(page)
        self.assertEqual(page.evaluate(RELEASES)["js/dom.js"], ONE)
        self.until(lambda: self.kept(page, "/") == self.kept(page, "/about") == [one], "the former release")
        self.server.stop()
        page.goto("/about")
        expect(page.locator("h1")).to_be_visible()
        page.goto(FUNCHAL)
        self.settled(page)
        self.assertEqual(page.evaluate(RELEASES)["js/dom.js"], ONE)

    def test_the_worker_asks_only_for_files_that_have_changed(self):
        two = self.release_of(TWO)
        with Proxy(self.server) as proxy:
            page = self.open("/about", farol=proxy, service_workers="allow")
            self.until(lambda: self.kept(page, "/") and self.kept(page, "/about"), "the first release to be stored")
            page.reload()  # with the worker
            expect(page.locator("#menu-place button").first).to_be_visible()
            page.wait_for_timeout(1_000)  # whatever is still requested
            self.become(TWO)
            proxy.sent.clear()
            page.reload()
            self.until(lambda: self.kept(page, "/") == self.kept(page, "/about") == [two], "the new release")
            asked = [urlsplit(path).path for path, _, _ in proxy.sent if path.startswith("/assets/")]
            page.context.close()
        unchanged = {f"/assets/{path.name}" for path in (release(ONE) / "assets").iterdir()}
        self.assertEqual(sorted(unchanged.intersection(asked)), [])
        self.assertTrue(asked)
        self.assertEqual(len(asked), len(set(asked)), "a file was requested twice")


class UnexpectedErrorTests(BrowserTest):
    allowed_errors = (r"uncaught: a test", r"a test",)

    @staticmethod
    def fulfill(script, route):
        route.fulfill(body=script, content_type="text/javascript")

    def test_an_unexpected_error_is_told_to_the_reader_and_reported_without_details(self):
        for kind, fault in (("error", "throw new Error('a test');"), ("rejection", "Promise.reject(new Error('a test'));")):
            with self.subTest(kind):
                page = self.open("/about")
                expect(page.locator("#menu-place button").first).to_be_visible()
                page.route("**/assets/faulty.js", functools.partial(self.fulfill, fault))
                with page.expect_request("**/api/page-errors?*") as report:
                    page.add_script_tag(url="/assets/faulty.js")
                self.assertEqual(urlsplit(report.value.url).query, f"kind={kind}")
                self.assertIsNone(report.value.post_data)
                self.assertNotIn("referer", report.value.all_headers())
                self.assertNotIn("cookie", report.value.all_headers())
                expect(page.get_by_role("alert")).to_contain_text("Something on this page did not work")

    def test_expected_failures_are_not_reported(self):
        page = self.open("/about")
        expect(page.locator("#menu-place button").first).to_be_visible()
        page.evaluate("() => { Promise.reject(new DOMException('a test', 'AbortError')); }")
        page.wait_for_timeout(300)
        expect(page.locator(".unexpected")).to_have_count(0)
