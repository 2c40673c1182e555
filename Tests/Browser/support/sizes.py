"""Scripts that measure the sizes of texts and of targets."""

# Visible texts below a number of pixels, with the element that has them. Texts for screen readers alone do not count.
SMALL_TEXT = """(least) => {
  const small = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement: element } = walker.currentNode;
    if (!data.trim() || element.closest('.visually-hidden, script, style, noscript, option, canvas')) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const { width, height } = element.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (!width || !height || size >= least - 0.05) continue;
    const name = `${element.tagName}.${element.getAttribute('class') ?? ''}`;
    if (!small.has(name)) small.set(name, `${name} ${size} px: ${data.trim().slice(0, 30)}`);
  }
  return [...small.values()];
}"""

# Visible controls whose area for a finger is below a number of pixels. The area is that on which a tap reaches the
# control, also beyond its box. A link inside a sentence takes the size of its text (WCAG 2.5.8); two controls that
# share a line or a column may share the space between them.
NARROW_TARGETS = """async (least) => {
  const targets = 'button, a[href], summary, input:not([type=hidden]), select, textarea, [role=option], [role=radio]';
  const inText = (one) => {
    const own = getComputedStyle(one).display;
    if (!one.matches('a, button.term') || !own.startsWith('inline')) return false;
    for (let at = one; at && at !== document.body; at = at.parentElement) {
      const around = [...at.parentElement.childNodes].filter((node) => node !== at);
      if (around.some((node) => node.nodeType === 3 && /[\\p{L}\\p{N}]{2,}/u.test(node.data))) return true;
      if (!getComputedStyle(at.parentElement).display.startsWith('inline')) return false;
    }
    return false;
  };
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert], .visually-hidden')
    && !one.matches('.visually-hidden, :disabled');
  const small = new Map();
  for (const one of document.querySelectorAll(targets)) {
    const label = one.matches('input') ? one.closest('label') : null;
    const whole = label ?? one;
    if (!seen(whole) || inText(one)) continue;
    if (one.matches('input') && !label && one.checkVisibility({ opacityProperty: true }) === false) continue;
    let box = whole.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    if (box.width >= least - 0.5 && box.height >= least - 0.5) continue;
    whole.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    box = whole.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = (dx, dy) => {
      const top = document.elementFromPoint(x + dx, y + dy);
      if (!top) return false;
      return whole.contains(top) || Boolean(top.closest('label')?.contains(one))
        || (one.id && top.closest('label')?.htmlFor === one.id);
    };
    if (!hit(0, 0)) continue;
    const reach = (step) => {
      let far = 0;
      while (far < least && hit(...step(far + 1))) far += 1;
      return far;
    };
    const width = Math.max(box.width, reach((d) => [-d, 0]) + reach((d) => [d, 0]) + 2);
    const height = Math.max(box.height, reach((d) => [0, -d]) + reach((d) => [0, d]) + 2);
    if (width >= least - 1 && height >= least - 1) continue; // measured in whole pixels
    const names = [];
    for (let at = one; at && names.length < 4; at = at.parentElement) {
      names.unshift(at.tagName.toLowerCase() + [...at.classList].map((name) => `.${name}`).join(''));
    }
    const name = names.join(' > ');
    if (small.has(name)) continue;
    small.set(name, `${name} ${Math.round(width)}×${Math.round(height)}: ${one.textContent.trim().slice(0, 30)}`);
  }
  scrollTo(0, 0);
  return [...small.values()];
}"""
