// @ts-check
// The address of a page for a frame on another site, and the HTML that shows it. Pure.

/** @typedef {{theme: string, language: string, height: number}} Look `theme`, `language`: empty for the reader's own */

export const THEMES = Object.freeze(['', 'light', 'dark']);
export const LANGUAGES = Object.freeze(['', 'en', 'pt']);
/** Pixels. */
export const HEIGHTS = Object.freeze([320, 420, 560, 640, 720]);

/**
 * The address for a frame that shows the same as a page.
 * @param {string} page address of the map, or of the statistics: «/?category=alpr#map=12/32.65/-16.9»
 * @param {{chart?: string, theme?: string, language?: string}} options `chart`: the only chart to show
 * @returns {string} «/embed?category=alpr&theme=dark#map=12/32.65/-16.9»
 */
export function embedAddress(page, { chart, theme, language }) {
  const url = new URL(page, 'https://farol.invalid/');
  const parts = url.search.slice(1).split('&').filter((part) => part && !/^(device|add|lang|charts)=/.test(part));
  if (chart) parts.push(`chart=${chart}`);
  if (theme) parts.push(`theme=${theme}`);
  if (language) parts.push(`lang=${language}`);
  return `/embed${parts.length ? `?${parts.join('&')}` : ''}${chart ? '' : url.hash}`;
}

/**
 * The address of the whole page that a frame shows a part of.
 * @param {string} query of the frame's address @param {string} hash
 */
export function wholeAddress(query, hash) {
  const parts = query.replace(/^\?/, '').split('&').filter((part) => part && !/^(chart|theme|lang)=/.test(part));
  const day = new URLSearchParams(query).get('mapping_day');
  if (day) return `/mapping-days/${encodeURIComponent(day)}`;
  const isChart = new URLSearchParams(query).has('chart');
  const rest = parts.length ? `?${parts.join('&')}` : '';
  return isChart ? `/statistics${rest}` : `/${rest}${hash}`;
}

/**
 * The HTML for another site. The map fills the width of its surroundings.
 * @param {string} url complete address of the frame @param {string} title @param {number} height pixels
 */
export function snippet(url, title, height) {
  return `<iframe src="${escaped(url)}" title="${escaped(title)}" width="100%" height="${height}" loading="lazy" `
    + 'referrerpolicy="no-referrer" style="border:0"></iframe>';
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
