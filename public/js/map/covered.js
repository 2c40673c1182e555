// @ts-check
// The part of the map that no other element covers.

import { coveredAt, isPhone } from '../panel.js';
import { TOP } from './room.js';

const CARD = 392; // pixels of the map covered by the card next to the panel
const INTRODUCTION = 220; // pixels of the map covered by the introduction on a phone
const COLUMN = 64; // pixels of the map covered by the column of buttons

/**
 * @param {HTMLElement} element
 * @returns {import('./room.js').Room}
 */
export function roomOf({ clientWidth, clientHeight }) {
  return { width: clientWidth, height: clientHeight };
}

/**
 * The size of the map that nothing covers when the page opens, and what the introduction covers of it.
 * @param {HTMLElement} element @param {boolean} isWelcoming whether the introduction will be shown
 */
export function clearRoom(element, isWelcoming) {
  const { width, height } = roomOf(element);
  return isPhone() ? { width, height: height - TOP - coveredAt('peek'), cover: isWelcoming ? INTRODUCTION : 0 }
    : { width, height, cover: 0 };
}

/**
 * Pixels between the sheet and the top of the button to add a device: `--add-above` and the button (map-page.css). The
 * rule is repeated here because the button is still moving when the map starts to move.
 * @param {number} foot height of the credits in pixels
 */
function aboveSheet(foot) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.max(2 * rem, foot + 0.75 * rem) + 3.5 * rem;
}

/**
 * Pixels of the visible map that buttons and the card cover.
 * @param {HTMLElement} element of the map
 * @param {number} foot height of the credits in pixels
 * @param {boolean} hasCard
 * @returns {import('./map-view.js').Insets}
 */
export function insetsOf(element, foot, hasCard) {
  const hasRoom = !isPhone() && element.clientWidth > 2 * CARD;
  return { top: 0, right: COLUMN, bottom: aboveSheet(foot), left: hasRoom && hasCard ? CARD : 0 };
}
