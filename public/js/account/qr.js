// @ts-check
// A QR code as a drawing. The rows of dark and light come from the server.

const NAMESPACE = 'http://www.w3.org/2000/svg';
const QUIET = 4; // light modules around it (ISO/IEC 18004 §6.3.8)

/**
 * The dark modules as one path, each row's neighbours together.
 * @param {string[]} rows of «0» and «1»
 */
export function qrPath(rows) {
  return rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map((run) => `M${(run.index ?? 0) + QUIET} ${y + QUIET}h${run[0].length}v1h-${run[0].length}z`)).join('');
}

/**
 * @param {string[]} rows @param {string} label what a screen reader says of it
 */
export function qrCode(rows, label) {
  const size = rows.length + 2 * QUIET;
  const element = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes) => {
    const made = document.createElementNS(NAMESPACE, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const drawing = element('svg', { viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label, class: 'qr', 'shape-rendering': 'crispEdges' });
  // Dark on light on every theme: that is what cameras read.
  drawing.append(element('rect', { width: String(size), height: String(size), fill: '#ffffff' }), element('path', { d: qrPath(rows), fill: '#000000' }));
  return drawing;
}
