"""How every page looks: compared with reference pictures, symbols painted, styles linked, the console silent."""

import io
import re

from PIL import Image
from playwright.sync_api import Error

from support import comparison
from support.case import BrowserTest
from support.chromium import DESKTOP, NARROW, PHONE
from support.farol import HOME
from support.gallery import ACCOUNT_SCENES, DEVICE_SCENES, MAP_SCENES, NOON, ORDER_SCENES, VISITOR_SCENES, moved, world
from support.map_probe import MapProbe
from support.waiting import until
from test_accessibility import WIDER_THAN_WINDOW

SIZES = {"phone": PHONE, "desktop": DESKTOP}

# Maps are drawn in software and differ from machine to machine; what lies on them is compared.
STILL = """
.maplibregl-canvas { visibility: hidden !important; }
*, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }
"""

IS_WHOLE = """async (height) => {
  await document.fonts.ready;
  const isBusy = [...document.querySelectorAll('[aria-busy=true], .skeleton, .is-starting')].some((one) => one.getBoundingClientRect().top < height);
  const isLoading = [...document.images].some((image) => image.loading !== 'lazy' && !image.complete);
  return !isBusy && !isLoading && document.documentElement.classList.contains('has-script') && document.querySelector('.brand') !== null;
}"""

# What differs from run to run: ids, keys of links, the port, and the days that the server counts in its calendar.
FIXED_WORDS = r"""() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const words = node.data.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '01890a5d-ac96-774b-bcce-b302099a8057')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:50000').replace(/\bin \d+ days\b/g, 'in 30 days')
      .replace(/\b\d{1,2} [A-Z][a-z]+ 20\d\d\b/g, (day) => (Date.parse(`${day} UTC`) > Date.parse('2026-03-03') ? '1 April 2026' : day))
      .replace(/token=[\w-]+/g, 'token=kept-to-oneself');
    if (words !== node.data) node.data = words;
  }
}"""

# Symbols that would be a square of one colour: without a drawing as their mask, or with nothing behind it.
BARE_ICONS = """() => [...document.querySelectorAll('[data-icon]')].filter((one) => one.checkVisibility({ visibilityProperty: true })).flatMap((one) => {
  const style = getComputedStyle(one, one.matches('.brand-mark') ? '::before' : null);
  const fill = style.backgroundColor;
  const isPainted = style.maskImage.includes('url(') && fill !== 'transparent' && !/, 0\\)$/.test(fill) && parseFloat(style.width) > 0;
  return isPainted ? [] : [`${one.dataset.icon}: mask ${style.maskImage.slice(0, 30)}, background ${fill}`];
})"""

# Where symbols can be seen, in pixels of the screen.
SEEN_ICONS = """() => [...document.querySelectorAll('[data-icon]')].flatMap((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || right - left < 8) return [];
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || !(seen === one || seen?.contains(one))) return [];
  return [{ name: one.dataset.icon, box: [left, top, right, bottom].map(Math.round) }];
})"""

# Classes that some style sheet has rules for, but none of those that this page brings.
UNSTYLED = """(styled) => {
  const here = new Set();
  const read = (rules) => {
    for (const rule of rules) {
      for (const [, name] of (rule.selectorText ?? '').matchAll(/\\.([\\w-]+)/g)) here.add(name);
      if (rule.cssRules) read(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) read(sheet.cssRules);
  const used = new Set([...document.querySelectorAll('body *')].flatMap((one) => [...one.classList]));
  return [...used].filter((name) => styled.includes(name) && !here.has(name));
}"""

# Classes whose only rules are about another place: a name beside the search field, a term in a list of facts, charts
# that are drawn, the line of filters of the statistics and that of the map.
STYLED_ELSEWHERE = {"brand-name", "term-holder", "is-drawn", "active-filters", "filter-bar", "filters-open"}


def styled_classes():
    """Every class that a style sheet of ours has a rule for."""
    sheets = (HOME / "public/css").glob("*.css")
    text = "\n".join(re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL) for sheet in sheets)
    selectors = re.findall(r"([^{}]+)\{", text)
    return sorted({name for selector in selectors for name in re.findall(r"\.([A-Za-z][\w-]*)", selector)} - STYLED_ELSEWHERE)


class PictureTest(BrowserTest):
    """Looks at scenes in every size and theme; each is a subtest of its own."""

    @classmethod
    def setUpClass(cls):
        world()

    def farol(self):
        return world().farol

    def on_the_day(self, route):
        """Answers as if it were the day of the pictures."""
        if route.request.resource_type not in ("document", "fetch", "xhr"):
            route.continue_()
            return
        try:
            answer = route.fetch()
            kind = answer.headers.get("content-type", "")
            if "json" in kind or "text/html" in kind:
                route.fulfill(response=answer, body=moved(answer.text(), world().made_on))
            else:
                route.fulfill(response=answer)
        except Error as error:
            # The page was left while its answer was on the way.
            if "disposed" not in str(error) and "closed" not in str(error):
                raise

    def page_for(self, scene, size):
        page = self.new_page(size=size, farol=world().farol)
        page.clock.set_fixed_time(NOON)
        page.route("**/*", self.on_the_day)
        if scene.who:
            world().people[scene.who].enter(page.context)
        return page

    def reach(self, page, scene):
        page.goto(scene.path(world()))
        page.locator(scene.ready).first.wait_for(state="visible")
        page.wait_for_load_state("networkidle")
        if page.locator("#map").count():
            MapProbe(page).settle()
            # On a phone the credits fold by themselves after a while.
            page.evaluate("() => { if (innerWidth < 800) document.querySelector('.credits')?.removeAttribute('open'); }")
        hidden = "".join(f"{selector} {{ visibility: hidden !important; }}\n" for selector in scene.hidden)
        # A style element is against the policy of the pages; a sheet that a script makes is not.
        page.evaluate("""(text) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(text);
          document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
        }""", STILL + hidden)
        if scene.steps:
            scene.steps(page)
        height = page.viewport_size["height"] * scene.screens
        until(lambda: page.evaluate(IS_WHOLE, height), f"{scene.name} to be whole")

    def picture(self, page, size, screens):
        """The same screenshot twice in a row: then everything has come to rest."""
        height = min(page.evaluate("() => document.documentElement.scrollHeight"), size["height"] * screens)
        page.evaluate(FIXED_WORDS)
        area = {"full_page": True, "clip": {"x": 0, "y": 0, "width": size["width"], "height": height}} if screens > 1 else {}
        before = None
        for _ in range(6):
            now = self.shot(page, **area)
            if now == before:
                break
            before = now
        return now

    def shot(self, page, **area):
        """A screenshot. Chromium cannot take one at times, on a machine with much else to do."""
        for _ in range(20):
            try:
                return page.screenshot(**area)
            except Error as error:
                trouble = error
                page.wait_for_timeout(500)
        raise trouble

    def look_at(self, scenes):
        faults = []
        styled = styled_classes()
        for scene in scenes:
            self.allowed_errors = (*self.allowed_errors, *scene.errors)
            for size_name, size in SIZES.items():
                with self.subTest(f"{scene.name}, {size_name}"):
                    page = self.page_for(scene, size)
                    self.reach(page, scene)
                    # The picture of the dark page first: the rest is asked of the light one, which is at rest by then.
                    for theme in ("dark", "light"):
                        page.emulate_media(color_scheme=theme)
                        faults += self.compared(page, f"{scene.name}-{size_name}-{theme}", size, scene.screens)
                    faults += [f"{scene.name}, {size_name}: {words}" for words in self.meaning(page, styled)]
                    if size_name == "phone":
                        page.set_viewport_size(NARROW)
                        faults += [f"{scene.name}, 320 pixels: wider than the window: {fault}" for fault in page.evaluate(WIDER_THAN_WINDOW)]
                    self.pages.remove(page)
                    page.context.close()
        self.assertEqual(faults, [])

    def meaning(self, page, styled):
        """What no picture is needed for."""
        found = [f"no symbol is painted: {one}" for one in page.evaluate(BARE_ICONS)]
        found += [f"no style sheet of this page knows .{one}" for one in page.evaluate(UNSTYLED, styled)]
        shot = Image.open(io.BytesIO(self.shot(page)))
        for icon in page.evaluate(SEEN_ICONS):
            if not comparison.is_painted(shot, icon["box"]):
                found.append(f"one colour only where {icon['name']} should be: {icon['box']}")
        return found

    def compared(self, page, name, size, screens):
        picture = comparison.halved(self.picture(page, size, screens))
        if comparison.MAKES:
            comparison.keep(name, picture)
            return []
        fault = comparison.fault(name, picture)
        return [fault] if fault else []


class MapPictureTests(PictureTest):
    def test_the_map_page_and_what_opens_over_it(self):
        self.look_at(MAP_SCENES)


class VisitorPictureTests(PictureTest):
    def test_pages_for_everybody(self):
        self.look_at(VISITOR_SCENES)


class DevicePictureTests(PictureTest):
    def test_pages_about_a_device(self):
        self.look_at(DEVICE_SCENES)


class AccountPictureTests(PictureTest):
    def test_pages_of_an_account_and_of_an_operator(self):
        self.look_at(ACCOUNT_SCENES)


class OrderPictureTests(PictureTest):
    def test_pages_of_moderators_and_admins(self):
        self.look_at(ORDER_SCENES)
