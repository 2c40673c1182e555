// @ts-check
// The parts that open over the map: the legend, the notes, the layers and the buttons to move. One is open at a time; a
// tap elsewhere on the map and Escape close it.

/** @typedef {{part: Element, opener: HTMLElement, close: () => void}} Open */

/** @param {HTMLElement} container */
function opened(container) {
  /** @type {Open[]} */
  const found = [];
  for (const note of container.querySelectorAll('details.map-note[open]')) {
    const opener = /** @type {HTMLElement | null} */ (note.querySelector('summary'));
    if (opener) found.push({ part: note, opener, close: () => note.removeAttribute('open') });
  }
  for (const button of container.querySelectorAll('[aria-controls$="-pad"][aria-expanded="true"]')) {
    const part = document.getElementById(button.getAttribute('aria-controls') ?? '');
    const opener = /** @type {HTMLElement} */ (button);
    if (part) found.push({ part, opener, close: () => opener.click() });
  }
  return found;
}

/** @param {HTMLElement} container the map with its controls */
export function oneOpen(container) {
  /** @param {EventTarget | null} kept closes all parts except the one with this element */
  const closeOthers = (kept) => {
    for (const { part, opener, close } of opened(container)) {
      if (!(kept instanceof Node && (part.contains(kept) || opener.contains(kept)))) close();
    }
  };
  container.addEventListener('pointerdown', (event) => closeOthers(event.target), true);
  // By keyboard, a part opens without a pointer.
  container.addEventListener('toggle', (event) => {
    if (event.target instanceof HTMLDetailsElement && event.target.open) closeOthers(event.target);
  }, true);
  container.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('[aria-controls$="-pad"][aria-expanded="true"]');
    if (button) closeOthers(button);
  });
  addEventListener('keydown', (event) => {
    const isTaken = event.defaultPrevented || document.querySelector('dialog[open], :popover-open');
    if (event.key !== 'Escape' || isTaken) return;
    const [open] = opened(container);
    if (!open) return;
    event.preventDefault();
    const hadFocus = open.part.contains(document.activeElement);
    open.close();
    if (hadFocus) open.opener.focus();
  });
}
