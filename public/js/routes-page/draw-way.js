// @ts-check
// Draws on the map: one place, or a way of several. A click or tap takes a place there, the crosshair the one in the
// middle. Keyboard: arrow keys move the map, Enter takes the place, Backspace removes the last one, Escape cancels.

import { crosshair } from '../add/crosshair.js';
import { h, icon } from '../dom.js';
import { styleSheet } from '../fields/fields.js';
import { wrapLongitude } from '../geography.js';
import { plural, translate } from '../i18n.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {import('../map/map-view.js').MapView} MapView */

const HINT = 'draw-way-hint';
const MOST = 500; // places of a way

/**
 * @param {HTMLElement} container of the map @param {MapView} view
 * @param {{isOne: boolean, show: (line: Position[]) => void}} options `isOne`: the first place is the answer
 * @returns {Promise<Position[] | null>} null if the user cancels
 */
export async function drawWay(container, view, { isOne, show }) {
  await styleSheet('css/add.css');
  return new Promise((resolve) => {
    /** @type {Position[]} */
    let line = [];
    const said = h('p', { class: 'draw-said', role: 'status' });
    const button = (/** @type {string} */ name, /** @type {string} */ symbol, /** @type {() => void} */ onclick) => (
      /** @type {HTMLButtonElement} */ (h('button', { type: 'button', class: 'button', 'data-draw': name, onclick },
        icon(symbol), h('span', {}, translate(`routes.draw.${name}`)))));
    const end = (/** @type {Position[] | null} */ result) => {
      view.map.off('click', tapped);
      container.removeEventListener('keydown', pressed);
      view.map.getCanvas().classList.remove('is-placing');
      cross.remove();
      bar.remove();
      resolve(result);
    };
    const set = (/** @type {Position[]} */ next) => {
      line = next.slice(0, MOST);
      if (isOne && line.length) {
        end(line);
        return;
      }
      show(line);
      said.textContent = isOne ? '' : plural('routes.draw.count', line.length);
      undo.disabled = !line.length;
      done.disabled = line.length < 2;
    };
    const addMiddle = () => {
      const { lng, lat } = view.map.getCenter();
      set([...line, [wrapLongitude(lng), lat]]);
    };
    const tapped = (/** @type {{lngLat: {lng: number, lat: number}}} */ { lngLat }) => (
      set([...line, [wrapLongitude(lngLat.lng), lngLat.lat]]));
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape') end(null);
      else if (event.key === 'Backspace' && !isOne) set(line.slice(0, -1));
      else return;
      event.preventDefault();
    };
    const undo = button('undo', 'back', () => set(line.slice(0, -1)));
    const done = button('done', 'check', () => end(line));
    done.classList.add('primary');
    const bar = h('section', { class: 'draw-bar', 'aria-label': translate('routes.draw.title') },
      h('p', { id: HINT }, translate(isOne ? 'routes.draw.hint_one' : 'routes.draw.hint')), said,
      h('div', { class: 'draw-acts' }, button('take', 'plus', addMiddle), !isOne && undo, !isOne && done,
        button('cancel', 'close', () => end(null))));
    const cross = crosshair(container, view, {
      place: addMiddle, describedBy: HINT, label: translate('routes.draw.crosshair'),
    });
    container.append(bar);
    container.addEventListener('keydown', pressed);
    view.map.on('click', tapped);
    view.map.getCanvas().classList.add('is-placing');
    set([]);
    container.scrollIntoView({ block: 'nearest' });
    cross.element.focus();
  });
}
