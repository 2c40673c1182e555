// @ts-check
// Screen for the position: under the crosshair, at a tap, at typed coordinates, or at the current
// location.

import { h, iconButton } from '../../dom.js';
import { withPlace } from '../../drafts/draft.js';
import { complaintOf } from '../../fields/field.js';
import { formatDistance, formatPosition } from '../../format.js';
import { wrapLongitude } from '../../geography.js';
import { language, translate } from '../../i18n.js';
import { announce } from '../../page/notices.js';
import { isPhone } from '../../panel.js';
import { parseCoordinates } from '../../places/coordinates.js';
import { locate, locateTrouble } from '../../places/locate.js';
import { crosshair } from '../crosshair.js';

/** @typedef {import('../wizard.js').Wizard} Wizard */
/** @typedef {import('../wizard.js').Screen} Screen */
/** @typedef {import('../../geography.js').Position} Position */

const CLOSE = 15; // zoom level from which a position is accurate to a few metres
const CLOSER = 17;
const REST = 700; // milliseconds after a move before the position is announced

/**
 * @param {Wizard} wizard
 * @returns {Screen}
 */
export function placeScreen(wizard) {
  const { pane } = wizard.context;
  const { view } = pane;
  const known = wizard.draft.place;
  const input = /** @type {HTMLInputElement} */ (h('input', {
    id: 'add-position', class: 'text-input', autocomplete: 'off', spellcheck: 'false', enterkeyhint: 'go',
    placeholder: translate('add.place.example'),
  }));
  const complaint = complaintOf(input);
  const rough = h('p', { class: 'field-note place-rough' });
  let typed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let telling;

  /** @returns {Position | null} */
  const middle = () => {
    if (!view) {
      const read = parseCoordinates(input.value);
      return read && [read.longitude, read.latitude];
    }
    const { lng, lat } = view.map.getCenter();
    return [wrapLongitude(lng), lat];
  };
  const go = (/** @type {Position} */ position, /** @type {number} */ zoom) => {
    typed = false;
    if (view) view.fly(position, Math.max(zoom, view.view.zoom));
    else input.value = formatPosition(position[0], position[1]);
  };
  const follow = () => {
    const at = middle();
    if (!view || !at) return;
    if (!typed) input.value = formatPosition(at[0], at[1]);
    const metres = 40_075_016 * Math.cos((at[1] * Math.PI) / 180) / (512 * 2 ** view.view.zoom);
    const isRough = view.view.zoom < CLOSE;
    rough.textContent = isRough
      ? translate('add.place.rough', { distance: formatDistance(Math.max(5, metres * 10), language()) })
      : '';
    rough.hidden = !isRough;
    clearTimeout(telling);
    telling = setTimeout(() => {
      const place = view.placeAround(at);
      const words = formatPosition(at[0], at[1]);
      announce(place
        ? translate('add.place.at_near', { position: words, place })
        : translate('add.place.at', { position: words }));
    }, REST);
  };
  const readTyped = () => {
    const read = parseCoordinates(input.value);
    complaint.say(read ? null : translate('add.place.unread'));
    if (read) go([read.longitude, read.latitude], CLOSER);
    return read !== null;
  };
  const take = () => {
    if (typed && view) {
      if (readTyped()) announce(translate('add.place.there'));
      return;
    }
    const at = middle();
    if (!at) {
      complaint.say(translate('add.place.unread'));
      input.focus();
      return;
    }
    if (view && view.view.zoom < CLOSE) {
      view.fly(at, CLOSER);
      announce(translate('add.place.closer'));
      return;
    }
    wizard.update((draft) => withPlace(draft, at, view?.placeAround(at) ?? null));
    wizard.next();
  };
  input.addEventListener('input', () => {
    typed = true;
    complaint.say(null);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (view) readTyped();
    else take();
  });
  const own = iconButton('locate', translate('add.place.own'), { class: 'framed', onclick: findMe });
  async function findMe() {
    own.classList.add('is-busy');
    try {
      const { position } = await locate();
      pane.markHere(position);
      go(position, CLOSER);
      announce(translate('add.place.found'));
    } catch (error) {
      complaint.say(translate(locateTrouble(error)));
    }
    own.classList.remove('is-busy');
  }
  /** @type {{element: HTMLElement, remove: () => void} | null} */
  let cross = null;
  return {
    title: translate('add.place.title'),
    hint: translate(view ? 'add.place.hint' : 'add.place.hint_mapless'),
    room: 'low',
    map: null,
    body: [
      h('div', { class: 'place-row' },
        h('div', { class: 'place-typed' }, h('label', { for: 'add-position' }, translate('add.place.position')), input),
        own),
      complaint.element, rough,
    ],
    primary: { label: translate('add.place.here'), act: take, symbol: 'check' },
    shown: () => {
      if (!view) {
        if (known) input.value = formatPosition(known[0], known[1], 6);
        return;
      }
      if (isPhone()) {
        for (const credits of document.querySelectorAll('details.credits')) credits.removeAttribute('open');
      }
      pane.placing = (position) => {
        typed = false;
        view.map.easeTo({ center: position, duration: 250 });
      };
      view.map.on('move', follow);
      cross = crosshair(pane.element, view, { place: take, describedBy: 'add-hint' });
      view.map.getCanvas().classList.add('is-placing');
      if (known) view.jump({ longitude: known[0], latitude: known[1], zoom: Math.max(CLOSER, view.view.zoom) });
      follow();
    },
    leave: () => {
      clearTimeout(telling);
      pane.placing = null;
      view?.map.off('move', follow);
      view?.map.getCanvas().classList.remove('is-placing');
      cross?.remove();
    },
  };
}
