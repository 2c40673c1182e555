// @ts-check
// The part of the window that the map has when the page opens.

import { coveredAt, isPhone } from '../panel.js';

/** @typedef {{width: number, height: number}} Room pixels */

export const TOP = 72; // pixels of the map covered by the search field on a phone
const PANEL = 25; // rem: the width of the list beside the map (map-page.css)
const BAR = 4.25; // rem: the height of the bar over the map
const wide = matchMedia('(min-width: 1100px)'); // the bar reaches over the map

/**
 * The size that the style sheet gives the map. It is needed before the style sheet has arrived.
 * @returns {Room}
 */
export function expectedRoom() {
  if (isPhone()) return { width: innerWidth, height: innerHeight };
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return { width: innerWidth - PANEL * rem, height: wide.matches ? innerHeight - BAR * rem : innerHeight };
}

/**
 * The pixels of the map that other elements cover.
 * @param {number} covered height that the sheet covers
 */
export function paddingAt(covered) {
  return isPhone() ? { top: TOP, right: 0, bottom: covered, left: 0 } : { top: 0, right: 0, bottom: 0, left: 0 };
}

/**
 * The pixels that the sheet covers when the page opens.
 * @param {import('../state.js').PageState} state
 */
export function firstCover({ device }) {
  return coveredAt(device ? 'half' : 'peek');
}
