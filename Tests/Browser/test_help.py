"""The page `/help` and its pictures, which come from the running program.

`make help-pictures` takes the pictures and the film and records the words of what they show. The tests reach the same
pages again: a changed word means that a picture is out of date.
"""

import io
import json
import os
import re

from PIL import Image
from playwright.sync_api import expect

from support import gallery
from support.case import LOCALES, BrowserTest
from support.chromium import NARROW, PHONE
from support.comparison import KEPT
from support.farol import HOME
from support.film import Recording, captions
from support.gallery import NOON
from support.help_scenes import PICTURES, SECONDS, SHOTS, SIZE, Town
from support.map_probe import MapProbe
from test_pictures import DATED, FIXED_WORDS, IS_WHOLE, PictureTest

MAKES = os.environ.get("FAROL_HELP_PICTURES") == "make"
FILES = HOME / "public/help"
RECORD = KEPT / "help.json"
MOST = 60_000  # bytes of a picture
FILM = 2_000_000

SHARP = "async () => { for (const map of globalThis.keptMaps ?? []) map.setPixelRatio(1); }"
# The words of elements that are in the picture. The credits name the street maps that the machine has.
WORDS = """(selector) => [...document.querySelectorAll(selector)].flatMap((one) => {
  const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { top, bottom, width } = range.getBoundingClientRect();
    if (node.data.trim() && width && bottom > 0 && top < innerHeight && node.parentElement.checkVisibility()
      && !node.parentElement.closest('.credits')) {
      found.push(node.data.replace(/\\s+/g, ' ').trim());
    }
  }
  return found;
})"""

# Dates of the server are relative to the day of the run, and some differ by a day in other months.
VARYING = re.compile(r"\d{1,2} de \w+ de \d{4}|\d{1,2} [A-Z][a-z]+ \d{4}|\d[\d.,:]*")


def lasting(words):
    """The words without dates and numbers."""
    return [VARYING.sub("0", line) for line in words]


class HelpPictureTests(PictureTest):
    @classmethod
    def setUpClass(cls):
        cls.before = list(gallery._world)
        cls.town = Town()
        gallery._world[:] = [cls.town]
        cls.recorded = {} if MAKES else json.loads(RECORD.read_text())

    @classmethod
    def tearDownClass(cls):
        gallery._world[:] = cls.before
        cls.town.farol.stop()

    def reached(self, page, shown):
        page.goto(shown.path(self.town))
        page.locator(shown.ready).first.wait_for(state="visible")
        page.wait_for_load_state("networkidle")
        self.rests(page)

    def rests(self, page):
        if page.locator("#map").count():
            MapProbe(page).settle()

    def page_in(self, language, who):
        page = self.new_page(size=SIZE, language=language)
        page.clock.set_fixed_time(NOON)
        page.route(DATED, self.on_the_day)
        page.route("**/api/live?*", lambda route: route.fulfill(status=204))
        if who:
            self.town.people[who].enter(page.context)
        return page

    def test_the_pictures_show_the_pages_of_today(self):
        for language in LOCALES:
            for shown in PICTURES:
                with self.subTest(f"{shown.section}, {language}"):
                    page = self.page_in(language, shown.who)
                    self.reached(page, shown)
                    if shown.steps:
                        shown.steps(page)
                    self.until(lambda: page.evaluate(IS_WHOLE, SIZE["height"]), f"{shown.section} to be whole")
                    page.evaluate(FIXED_WORDS)
                    words = lasting(page.evaluate(WORDS, shown.words))
                    self.assertNotEqual(words, [])
                    if MAKES:
                        self.recorded.setdefault(language, {})[shown.section] = words
                        self.keep(page, language, shown.section)
                    else:
                        self.assertEqual(
                            self.recorded[language][shown.section], words, "run `make help-pictures` and look at them")
                    self.pages.remove(page)
                    page.context.close()
        if MAKES:
            RECORD.write_text(json.dumps(self.recorded, ensure_ascii=False, indent=1) + "\n")

    def keep(self, page, language, name):
        page.evaluate(SHARP)
        page.wait_for_timeout(800)
        self.rests(page)
        picture = Image.open(io.BytesIO(self.shot(page))).convert("RGB")
        for quality in range(78, 30, -6):
            file = io.BytesIO()
            picture.save(file, "WEBP", quality=quality, method=6)
            if file.tell() <= MOST:
                break
        folder = FILES / language
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.webp").write_bytes(file.getvalue())

    def test_the_film_shows_the_program_of_today(self):
        """Reaches each page of the film; `make help-pictures` also records it."""
        for language in LOCALES:
            page = self.page_in(language, "ana")
            recording = Recording(page) if MAKES else None
            for number, shot in enumerate(SHOTS):
                with self.subTest(f"shot {number + 1}, {language}"):
                    if shot.path:
                        self.reached(page, shot)
                        page.evaluate(SHARP)
                        self.rests(page)
                    if recording:
                        recording.start()
                        page.wait_for_timeout(1_000)
                    if shot.steps:
                        shot.steps(page)
                    if recording:
                        page.wait_for_timeout(2_000)
                        recording.stop()
            texts = [shot.captions[language] for shot in SHOTS]
            if recording:
                recording.write(FILES / language / "film.webm", SECONDS)
                (FILES / language / "film.vtt").write_text(captions(texts, SECONDS))
            else:
                self.assertEqual((FILES / language / "film.vtt").read_text(), captions(texts, SECONDS))

    def test_the_files_are_small(self):
        for language in LOCALES:
            for shown in PICTURES:
                file = FILES / language / f"{shown.section}.webp"
                self.assertLessEqual(file.stat().st_size, MOST, file.name)
                self.assertEqual(Image.open(file).size, (SIZE["width"], SIZE["height"]))
            self.assertLess((FILES / language / "film.webm").stat().st_size, FILM)


class HelpPageTests(BrowserTest):
    def test_each_section_has_its_picture_in_the_language_of_the_reader(self):
        sources = set()
        for language, title in (("en", "Help"), ("pt", "Ajuda")):
            page = self.open("/help", language=language)
            expect(page.locator("h1")).to_have_text(title)
            pictures = page.locator(".help-picture img")
            expect(pictures).to_have_count(len(PICTURES))
            for shown in PICTURES:
                picture = page.locator(f"section:has(#{shown.section}) img")
                picture.scroll_into_view_if_needed()
                self.until(lambda: picture.evaluate("(one) => one.naturalWidth") == SIZE["width"], "the picture to load")
                self.assertRegex(picture.get_attribute("src"), rf"/{shown.section}[-.]")
                sources.add(picture.get_attribute("src"))
                self.assertGreater(len(picture.get_attribute("alt")), 20)
        self.assertEqual(len(sources), 2 * len(PICTURES))

    def test_the_film_plays_with_captions(self):
        page = self.open("/help", language="pt")
        film = page.locator("video")
        found = film.evaluate("""async (video) => {
          video.textTracks[0].mode = 'showing';
          video.preload = 'auto';
          await video.play();
          await new Promise((resolve) => { video.ontimeupdate = () => video.currentTime > 0.3 && resolve(); });
          video.pause();
          return [video.duration, video.videoWidth, video.textTracks[0].cues.length, video.textTracks[0].language];
        }""")
        self.assertAlmostEqual(found[0], SECONDS * len(SHOTS), delta=0.5)
        self.assertEqual(found[1:], [SIZE["width"], len(SHOTS), "pt"])

    def test_menu_and_foot_lead_to_it(self):
        page = self.open("/about", size=PHONE)
        page.locator(".menu-button").click()
        page.locator("#menu").get_by_role("link", name="Help").click()
        expect(page.locator("h1")).to_have_text("Help")
        page.goto("/terms")
        page.get_by_role("contentinfo").get_by_role("link", name="Help").click()
        expect(page.locator("h1")).to_have_text("Help")

    def test_it_is_readable_without_scripts(self):
        page = self.new_page(java_script_enabled=False, language="pt", size=NARROW)
        page.goto("/help")
        expect(page.locator("main")).to_contain_text("Caminhos discretos")
        expect(page.locator(".help-picture img").first).to_be_visible()
