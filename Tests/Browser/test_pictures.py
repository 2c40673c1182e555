"""The appearance of every page: reference pictures, painted icons, linked style sheets, an empty console."""

import io
import re

from PIL import Image
from playwright.sync_api import Error

from support import comparison
from support.case import BrowserTest
from support.chromium import DESKTOP, NARROW, PHONE
from support.farol import HOME
from support.gallery import ACCOUNT_SCENES, DEVICE_SCENES, MAP_SCENES, NOON, ORDER_SCENES, VISITOR_SCENES, moved, world
from support.layout import WIDER_THAN_WINDOW
from support.map_probe import MapProbe
from support.waiting import until

SIZES = {"phone": PHONE, "desktop": DESKTOP}

# Maps are drawn in software and differ between machines. Only the elements on top of them are compared.
STILL = """
.maplibregl-canvas { visibility: hidden !important; }
*, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }
"""

# Files of the page, tiles and photos contain no date. Each request that a test handles costs several messages.
DATED = re.compile(r"^http://[^/]+/(?!assets/|streets/|basemap/|api/tiles/|api/photos/)")

IS_WHOLE = """async (height) => {
  await document.fonts.ready;
  const isBusy = [...document.querySelectorAll('[aria-busy=true], .skeleton, .is-starting')]
    .some((one) => one.getBoundingClientRect().top < height);
  const isLoading = [...document.images].some((image) => image.loading !== 'lazy' && !image.complete);
  // A frame on another site has no bar.
  const isStarted = document.documentElement.classList.contains('has-script')
    && document.querySelector('.brand') !== null || document.body.classList.contains('embed');
  return !isBusy && !isLoading && isStarted;
}"""

# Hides differences between runs: ids, keys of links, the port, and dates in the calendar of the server.
FIXED_WORDS = r"""() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const words = node.data
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '01890a5d-ac96-774b-bcce-b302099a8057')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:50000').replace(/\bin \d+ days\b/g, 'in 30 days')
      .replace(/\b\d{1,2} [A-Z][a-z]+ 20\d\d\b/g, (day) =>
        (Date.parse(`${day} UTC`) > Date.parse('2026-03-03') ? '1 April 2026' : day))
      .replace(/token=[\w-]+/g, 'token=kept-to-oneself');
    if (words !== node.data) node.data = words;
  }
}"""

# Icons that would be a square of one colour: without a mask, or without a background.
BARE_ICONS = """() => [...document.querySelectorAll('[data-icon]')].flatMap((one) => {
  if (!one.checkVisibility({ visibilityProperty: true })) return [];
  const style = getComputedStyle(one, one.matches('.brand-mark') ? '::before' : null);
  const fill = style.backgroundColor;
  const isPainted = style.maskImage.includes('url(') && fill !== 'transparent' && !/^rgba.*, 0\\)$/.test(fill)
    && parseFloat(style.width) > 0;
  return isPainted ? [] : [`${one.dataset.icon}: mask ${style.maskImage.slice(0, 30)}, background ${fill}`];
})"""

# The positions of visible icons, in screen pixels.
SEEN_ICONS = """() => [...document.querySelectorAll('[data-icon]')].flatMap((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || right - left < 8) return [];
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
  if (seen !== one && !seen?.contains(one)) return [];
  return [{ name: one.dataset.icon, box: [left, top, right, bottom].map(Math.round) }];
})"""

# Classes with rules in some style sheet, but not in a style sheet of this page.
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

# Classes whose only rules are for another page: the name next to the search field, a term in a list of facts, drawn
# charts, and the filter bars of the statistics and of the map.
STYLED_ELSEWHERE = {"brand-name", "term-holder", "is-drawn", "active-filters", "filter-bar", "filters-open"}


def styled_classes():
    """All classes for which a style sheet of this project has a rule."""
    sheets = (HOME / "public/css").glob("*.css")
    text = "\n".join(re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL) for sheet in sheets)
    selectors = re.findall(r"([^{}]+)\{", text)
    return sorted(
        {name for selector in selectors for name in re.findall(r"\.([A-Za-z][\w-]*)", selector)} - STYLED_ELSEWHERE)


class PictureTest(BrowserTest):
    """Checks scenes in every size and theme, each in its own subtest."""

    @classmethod
    def setUpClass(cls):
        world()

    def farol(self):
        return world().farol

    def on_the_day(self, route):
        """Responds as if today were the date of the pictures."""
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
            # The page was closed while the response was on its way.
            if "disposed" not in str(error) and "closed" not in str(error):
                raise

    def page_for(self, scene, size):
        page = self.new_page(size=size, farol=world().farol, is_first_visit=scene.is_first_visit)
        page.clock.set_fixed_time(NOON)
        page.route(DATED, self.on_the_day)
        # Without a stream of changes, which would never be idle.
        page.route("**/api/live?*", lambda route: route.fulfill(status=204))
        if scene.who:
            world().people[scene.who].enter(page.context)
        return page

    def reach(self, page, scene):
        page.goto(scene.path(world()))
        page.locator(scene.ready).first.wait_for(state="visible")
        page.wait_for_load_state("networkidle")
        if page.locator("#map").count():
            MapProbe(page).settle()
        # On a phone the credits of a map fold after some seconds.
        page.evaluate("() => { if (innerWidth < 800) document.querySelector('.credits')?.removeAttribute('open'); }")
        hidden = "".join(f"{selector} {{ visibility: hidden !important; }}\n" for selector in scene.hidden)
        # The Content-Security-Policy forbids style elements but not constructed style sheets.
        page.evaluate("""(text) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(text);
          document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
        }""", STILL + hidden)
        if scene.steps:
            scene.steps(page)
        height = page.viewport_size["height"] * scene.screens
        until(lambda: page.evaluate(IS_WHOLE, height), f"{scene.name} to be whole")

    def area(self, page, size, screens):
        """The options of a screenshot of this number of windows, without what changes from run to run."""
        page.evaluate(FIXED_WORDS)
        if screens == 1:
            return {}
        height = min(page.evaluate("() => document.documentElement.scrollHeight"), size["height"] * screens)
        return {"full_page": True, "clip": {"x": 0, "y": 0, "width": size["width"], "height": height}}

    def shot(self, page, **area):
        """A screenshot. Chromium sometimes fails to take one on a busy machine."""
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
                    # The dark picture first. The other checks use the light page, which is idle by then.
                    for theme in ("dark", "light"):
                        page.emulate_media(color_scheme=theme)
                        faults += self.compared(page, f"{scene.name}-{size_name}-{theme}", size, scene.screens)
                    faults += [f"{scene.name}, {size_name}: {words}" for words in self.meaning(page, styled)]
                    if size_name == "phone":
                        page.set_viewport_size(NARROW)
                        faults += [
                            f"{scene.name}, 320 pixels: wider than the window: {fault}"
                                for fault in page.evaluate(WIDER_THAN_WINDOW)]
                    self.pages.remove(page)
                    page.context.close()
        self.assertEqual(faults, [])

    def meaning(self, page, styled):
        """The checks that compare no picture."""
        found = [f"no symbol is painted: {one}" for one in page.evaluate(BARE_ICONS)]
        found += [f"no style sheet of this page knows .{one}" for one in page.evaluate(UNSTYLED, styled)]
        shot = Image.open(io.BytesIO(self.shot(page)))
        for icon in page.evaluate(SEEN_ICONS):
            if not comparison.is_painted(shot, icon["box"]):
                found.append(f"one colour only where {icon['name']} should be: {icon['box']}")
        return found

    def compared(self, page, name, size, screens):
        """Takes screenshots until one is equal to the stored picture, or two in a row are equal.

        Two in a row are equal when all movements have ended."""
        before = None
        for _ in range(6):
            now = self.shot(page, **self.area(page, size, screens))
            if now == before:
                break
            before = now
            if not comparison.MAKES and comparison.is_equal(name, comparison.halved(now)):
                return []
        picture = comparison.halved(now)
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
