"""What Farol needs of MapLibre beyond its interface, and what browsers see that are too old."""

import re

from playwright.sync_api import expect

from support.case import FUNCHAL, BrowserTest
from support.farol import HOME

# Members outside the interface: first-picture.js covers the methods, and cluster-source.js reads the zoom of a feature. A new version may rename or no longer call them.
INTERNALS = """(map) => ({
  version: maplibregl.getVersion(),
  render: typeof map.painter?.render, drawFunctions: typeof map.painter?.drawFunctions?.sky,
  placement: typeof map.style?._updatePlacement, isDone: typeof map.style?.pauseablePlacement?.isDone,
  zoomOfFeature: typeof map.querySourceFeatures('devices', { sourceLayer: 'devices' })[0]?._z,
  isCovered: Object.hasOwn(map.painter, 'render') || Object.hasOwn(map.style, '_updatePlacement'),
})"""
# Counts the calls of both methods while the map draws again, as first-picture.js relies on them.
CALLS = """async (map) => {
  const calls = { render: 0, _updatePlacement: 0 };
  for (const [object, name] of [[map.painter, 'render'], [map.style, '_updatePlacement']]) {
    const method = object[name];
    object[name] = (...given) => { calls[name] += 1; return method.apply(object, given); };
  }
  map.panBy([40, 0], { duration: 0 });
  await new Promise((resolve) => { map.once('idle', resolve); });
  delete map.painter.render;
  delete map.style._updatePlacement;
  return { ...calls, styleOfRender: map.painter.style === map.style };
}"""


class LibraryTests(BrowserTest):
    def test_the_pinned_version_has_the_members_that_are_not_in_its_interface(self):
        pinned = re.search(r"maplibre-gl-([\d.]+)\.js", (HOME / "public/js/vendor.js").read_text())[1]
        page = self.open(FUNCHAL)
        found = page.evaluate(f"() => ({INTERNALS})(globalThis.keptMaps.at(-1))")
        self.assertEqual(found, {"version": pinned, "render": "function", "drawFunctions": "function",
                                 "placement": "function", "isDone": "function", "zoomOfFeature": "number",
                                 "isCovered": False})
        calls = page.evaluate(f"() => ({CALLS})(globalThis.keptMaps.at(-1))")
        self.assertGreater(calls["render"], 0)
        self.assertGreater(calls["_updatePlacement"], 0)
        self.assertTrue(calls["styleOfRender"])

    def test_no_other_module_uses_such_members(self):
        found = [str(path.relative_to(HOME / "public/js")) for path in (HOME / "public/js").rglob("*.js")
                 if re.search(r"\b(map|style|painter|source|tile|transform)\??\._\w|[{,]\s*_\w+\s*[:,}]|\.painter\b"
                              r"|\bpainter\.|pauseable",
                              re.sub(r"/\*.*?\*/", "", re.sub(r"//.*", "", path.read_text()), flags=re.DOTALL))]
        self.assertEqual(sorted(found), ["map/cluster-source.js", "map/first-picture.js"])


class OldBrowserTests(BrowserTest):
    allowed_errors = (r".",)

    def test_a_browser_without_these_features_is_told_which_ones_work(self):
        for cause in ("CSS.supports = () => false", "delete HTMLScriptElement.supports"):
            for language, words in (("en", "too old"), ("pt", "demasiado antigo")):
                with self.subTest(cause=cause, language=language):
                    page = self.new_page(language=language)
                    page.add_init_script(cause)
                    page.goto("/about")
                    expect(page.get_by_role("alert")).to_contain_text(words)
                    page.context.close()

    def test_the_named_versions_are_those_of_the_build_and_of_the_page(self):
        text = (HOME / "docs/reference/browsers.md").read_text()
        build = re.search(r'TARGET = "--target=chrome(\d+),edge(\d+),firefox(\d+),safari([\d.]+)"',
                          (HOME / "setup/front.py").read_text()).groups()
        self.assertEqual(re.findall(r"^\| (?:Chrome|Edge|Firefox|Safari)[^|]*\| ([\d.]+) ", text, re.MULTILINE), [*build])
        for language in ("en", "pt"):
            words = self.farol().get(f"/about?lang={language}", raw=True).decode()
            found = re.search(r'name="farol-old" content="([^"]+)"', words)[1]
            self.assertEqual(re.findall(r"\d+(?:\.\d+)?", found), [build[0], build[2], build[3]])
