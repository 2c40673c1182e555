"""Scripts that judge the layout of a page, and the sizes of windows."""

from support.chromium import DESKTOP, NARROW, PHONE

SIZES = {"390×844": PHONE, "320×700": NARROW, "1440×900": DESKTOP}

WIDER_THAN_WINDOW = """() => {
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over <= 0) return [];
  const wide = [...document.querySelectorAll('body *')].filter((one) => {
    const edge = one.getBoundingClientRect();
    return edge.width > 0 && edge.right > innerWidth + 1;
  });
  return [`${over} px`, ...wide.slice(0, 5).map((one) => `${one.tagName}.${one.className}`)];
}"""

# What reaches over the right edge of its card. Maps and tables that scroll on their own do not count.
BEYOND_CARD = """() => [...document.querySelectorAll('main .paper')].flatMap((card) => {
  const edge = card.getBoundingClientRect().right + 1;
  return [...card.querySelectorAll('*')].filter((one) => {
    const { width, right } = one.getBoundingClientRect();
    return width > 0 && right > edge && !one.closest('[tabindex="0"], .map, .maplibregl-map, svg, .visually-hidden');
  }).slice(0, 2).map((one) => `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 40)}`);
})"""

# Visible buttons, links and checkboxes that are too small for a finger. Links inside a sentence and
# covered elements do not count (WCAG 2.5.8).
SMALL_TARGETS = """(least) => {
  const small = [];
  const targets = 'button, a[href], summary, label:has(input), input:not(.visually-hidden), select, [role=option]';
  for (const one of document.querySelectorAll(targets)) {
    const edge = one.getBoundingClientRect();
    if (!edge.width || !edge.height || !one.checkVisibility({ visibilityProperty: true })) continue;
    const isInSentence = [...one.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (one.closest('[inert]')) continue;
    if (one.matches('a') && (isInSentence || one.closest('p, li > span, dd, .credits'))) continue;
    const x = edge.left + edge.width / 2;
    const y = edge.top + edge.height / 2;
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
    const top = document.elementFromPoint(x, y);
    if (!top || !(one.contains(top) || top.contains(one))) continue;
    if (edge.width < least - 0.5 || edge.height < least - 0.5) {
      const size = `${Math.round(edge.width)}×${Math.round(edge.height)}`;
      small.push(`${one.tagName}.${one.className} ${size} ${one.textContent.trim().slice(0, 20)}`);
    }
  }
  return small;
}"""

# Waits until a new size or state is drawn and all movements have ended.
DRAWN = """async () => {
  const moving = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
  await Promise.all(moving.map((one) => one.finished.catch(() => null)));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
