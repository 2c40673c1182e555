// @ts-check
// Draws a QR code. The server sends the rows of dark and light modules.

const NAMESPACE = 'http://www.w3.org/2000/svg';
const QUIET = 4; // light modules on each side, the quiet zone (ISO/IEC 18004 §6.3.8)

/**
 * The dark modules as one SVG path. Adjacent modules of a row become one rectangle.
 * @param {string[]} rows strings of «0» and «1»
 */
export function qrPath(rows) {
  return rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map((run) => (
    `M${(run.index ?? 0) + QUIET} ${y + QUIET}h${run[0].length}v1h-${run[0].length}z`))).join('');
}

/** @param {string[]} rows @param {string} label accessible name for screen readers */
export function qrCode(rows, label) {
  const size = rows.length + 2 * QUIET;
  const element = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes) => {
    const made = document.createElementNS(NAMESPACE, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const drawing = element('svg', {
    viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label, class: 'qr', 'shape-rendering': 'crispEdges',
  });
  // Dark on light in every theme, because cameras expect that.
  drawing.append(element('rect', { width: String(size), height: String(size), fill: '#ffffff' }),
    element('path', { d: qrPath(rows), fill: '#000000' }));
  return drawing;
}
