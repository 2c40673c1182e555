"""The content of the map in Chromium, and the points to click on."""

from support.waiting import until

# The page's own map: its bounding boxes, and whether it and the list are idle.
IS_SETTLED = """() => {
  const list = document.querySelector('#list');
  const title = document.querySelector('#list-title');
  if (!list || list.hasAttribute('aria-busy') || list.querySelector('.skeleton-row')) return false;
  if (!/\\d|^No |^Nenhum/.test(title.textContent)) return false;
  if (document.body.classList.contains('no-map')) return true;
  const map = globalThis.keptMaps?.[0];
  return Boolean(map) && document.querySelector('#map.is-drawn') !== null
    && map.loaded() && map.areTilesLoaded() && !map.isMoving();
}"""

IS_STILL_SETTLED = """async () => {
  // Longer than the list waits after a move before it follows.
  await new Promise((resolve) => setTimeout(resolve, 300));
}"""

DRAWN = """(layer) => {
  const map = globalThis.keptMaps[0];
  const edge = map.getContainer().getBoundingClientRect();
  const found = new Map();
  for (const feature of map.queryRenderedFeatures({ layers: [layer] })) {
    const { x, y } = map.project(feature.geometry.coordinates);
    const seen = document.elementFromPoint(edge.left + x, edge.top + y);
    if (seen !== map.getCanvas()) continue;
    const key = feature.properties.id ?? `${Math.round(x)} ${Math.round(y)}`;
    found.set(key, { x: edge.left + x, y: edge.top + y, ...feature.properties });
  }
  return [...found.values()];
}"""

PLACE = """([longitude, latitude]) => {
  const map = globalThis.keptMaps[0];
  const edge = map.getContainer().getBoundingClientRect();
  const { x, y } = map.project([longitude, latitude]);
  return { x: edge.left + x, y: edge.top + y };
}"""

LAYOUT = """([layer, property]) => globalThis.keptMaps[0].getPaintProperty(layer, property)"""


class MapProbe:
    def __init__(self, page):
        self.page = page

    def settle(self):
        """Waits until map and list are idle, and still are after the pause of the list."""
        until(self.is_settled_twice, "the map and the list to rest")

    def is_settled_twice(self):
        if not self.page.evaluate(IS_SETTLED):
            return False
        self.page.evaluate(IS_STILL_SETTLED)
        return self.page.evaluate(IS_SETTLED)

    def clusters(self):
        """Visible clusters, the largest first, with the point to click at."""
        return sorted(self.page.evaluate(DRAWN, "clusters"), key=lambda one: -one["count"])

    def devices(self):
        """Visible single devices."""
        return self.page.evaluate(DRAWN, "devices")

    def total(self):
        """The number of devices on the map, including those in clusters."""
        return len(self.devices()) + sum(cluster["count"] for cluster in self.clusters())

    def chosen(self):
        """The drawn shapes of the selected device."""
        return self.page.evaluate(DRAWN, "chosen-point")

    def click(self, spot):
        self.page.mouse.click(spot["x"], spot["y"])

    def click_at(self, longitude, latitude):
        self.click(self.page.evaluate(PLACE, [longitude, latitude]))

    def zoom(self):
        return self.page.evaluate("() => globalThis.keptMaps[0].getZoom()")

    def background(self):
        """The background colour of the map."""
        return self.page.evaluate(LAYOUT, ["water", "background-color"])
