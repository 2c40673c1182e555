// @ts-check
// Screen for the position: at the current location, under the crosshair, at a tap, at a searched place,
// at typed coordinates, or at the place of a photo.

import { fill, h, icon } from '../../dom.js';
import { renamed, spotOf, suggestedName, withAnswer, withPlace } from '../../drafts/draft.js';
import { complaintOf } from '../../fields/field.js';
import { formatPosition } from '../../format.js';
import { distance, wrapLongitude } from '../../geography.js';
import { translate } from '../../i18n.js';
import { announce } from '../../page/notices.js';
import { namedLines, streetAt } from '../../map/named-streets.js';
import { isPhone } from '../../panel.js';
import { parseCoordinates } from '../../places/coordinates.js';
import { locate, locateTrouble } from '../../places/locate.js';
import { label } from '../../taxonomies.js';
import { crosshair } from '../crosshair.js';
import { rowFeatures } from '../draft-features.js';
import { photoFirst } from '../photo-first.js';
import { MOST } from '../pictures.js';

/** @typedef {import('../wizard.js').Wizard} Wizard */
/** @typedef {import('../wizard.js').Screen} Screen */
/** @typedef {import('../../geography.js').Position} Position */

const CLOSE = 15; // zoom level from which a position is accurate to a few metres
const CLOSER = 17;
const APART = 0.5; // metres between two devices of a row
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
  let typed = false;
  /** Whether the map is too far away for a precise position. */
  let isRough = view !== null && view.view.zoom < CLOSE && !known;
  /** A message that replaces the usual hint until the map is moved by hand. */
  let said = '';
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
  /** Whether a device that the user has just added is here. */
  const isTaken = (/** @type {Position} */ at) => wizard.isLike
    && wizard.row.some(({ draft }) => draft.place && distance(draft.place, at) < APART);
  const go = (/** @type {Position} */ position, /** @type {number} */ zoom) => {
    typed = false;
    if (view) view.fly(position, Math.max(zoom, view.view.zoom));
    else input.value = formatPosition(position[0], position[1]);
  };
  const follow = () => {
    const at = middle();
    if (!view || !at) return;
    if (!typed) input.value = formatPosition(at[0], at[1]);
    // The complaint itself moves the map, because it takes room.
    if (wizard.isLike && !isTaken(at)) complaint.say(null);
    if (isRough !== view.view.zoom < CLOSE) {
      isRough = !isRough;
      drawActs();
    }
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
      closer();
      return;
    }
    if (isTaken(at)) {
      complaint.say(translate('add.place.same'));
      return;
    }
    wizard.update((draft) => {
      const street = view && streetAt(namedLines(view.map, view.options.settings, view.options.language), at);
      const placed = withPlace(draft, at, view?.placeAround(at) ?? null, street?.name);
      const kind = draft.properties.category ? label('categories', draft.properties.category) : '';
      return wizard.isLike ? likeTheOthers(placed, wizard.row) : renamed(draft, placed, kind);
    });
    if (wizard.isLike) wizard.finish();
    else wizard.next();
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
  function closer() {
    const at = middle();
    if (!view || !at) return;
    view.fly(at, CLOSER);
    announce(translate('add.place.closer'));
  }
  const hint = () => said
    || translate(view ? isRough ? 'add.place.first' : 'add.place.hint' : 'add.place.hint_mapless');
  /** @param {string} words shown instead of the usual hint; empty: the usual hint again */
  const say = (words) => {
    said = words;
    fill(wizard.frame.hint, hint());
    if (words) announce(words);
  };
  async function findMe() {
    complaint.say(null);
    say(translate('add.place.finding'));
    try {
      const { position } = await locate();
      pane.markHere(position);
      go(position, CLOSER);
      say(translate('add.place.found'));
    } catch (error) {
      say('');
      complaint.say(translate(locateTrouble(error)));
    }
  }
  /** @type {import('../wizard.js').Act} */
  const own = { label: translate('add.place.own'), act: findMe, symbol: 'locate' };
  /** Far away, the user’s location is the best start. Close by, the crosshair is. */
  const acts = () => (isRough
    ? { primary: own, secondary: { label: translate('add.place.zoom'), act: closer, symbol: 'plus' } }
    : {
      primary: {
        label: translate(wizard.isLike ? 'add.place.send' : 'add.place.here'), act: take,
        symbol: wizard.isLike ? 'send' : 'check',
      }, secondary: own,
    });
  const drawActs = () => {
    if (wizard.screen !== screen) return;
    fill(wizard.frame.hint, hint());
    Object.assign(screen, acts());
    wizard.drawFoot();
  };
  const search = h('button', {
    type: 'button', class: 'button', onclick: () => document.getElementById('search')?.focus(),
  }, icon('search'), h('span', {}, translate('add.place.search')));
  const photo = photoFirst(wizard, {
    taken: (place) => {
      photo.hidden = wizard.draft.photos.length >= MOST;
      complaint.say(null);
      if (place) go(place, CLOSER);
      say(translate(place ? 'add.place.photo_found' : 'add.place.photo_without'));
    },
    failed: (words) => complaint.say(words),
  });
  photo.hidden = wizard.draft.photos.length >= MOST;
  const forget = () => { if (said) say(''); };
  /** @type {{element: HTMLElement, remove: () => void} | null} */
  let cross = null;
  /** @type {Screen} */
  const screen = {
    title: translate(wizard.isLike ? 'add.place.next' : 'add.place.title'),
    hint: hint(),
    room: 'low',
    map: null,
    body: [
      wizard.isLike && h('p', { class: 'field-note like-answers' }, sharedWords(wizard.draft)),
      h('div', { class: 'place-ways' }, view && search, photo),
      h('div', { class: 'place-typed' }, h('label', { for: 'add-position' }, translate('add.place.position')), input),
      complaint.element,
      !isPhone() && h('p', { class: 'field-note' },
        h('a', { href: '/lists/propose' }, translate('add.place.list'))),
    ],
    ...acts(),
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
      view.map.on('dragstart', forget);
      cross = crosshair(pane.element, view, { place: take, describedBy: 'add-hint' });
      view.map.getCanvas().classList.add('is-placing');
      if (wizard.isLike) view.describe(rowFeatures(wizard.row.map(({ draft }) => draft)));
      if (known) view.jump({ longitude: known[0], latitude: known[1], zoom: Math.max(CLOSER, view.view.zoom) });
      follow();
    },
    leave: () => {
      clearTimeout(telling);
      pane.placing = null;
      view?.map.off('move', follow);
      view?.map.off('dragstart', forget);
      view?.map.getCanvas().classList.remove('is-placing');
      cross?.remove();
    },
  };
  return screen;
}

/**
 * The answers that one more device in a row has in common with the one before: «Fixed camera · City of Lisbon».
 * @param {import('../../drafts/draft.js').Draft} draft
 */
function sharedWords({ properties }) {
  return [
    label('categories', properties.category), properties.operator?.name,
    properties.signage && label('signage', properties.signage),
  ].filter(Boolean).join(' · ');
}

/**
 * A draft of one more device in a row, with its name. The user knows the devices added before.
 * @param {import('../../drafts/draft.js').Draft} draft @param {Wizard['row']} row the devices added before
 */
function likeTheOthers(draft, row) {
  const named = withAnswer(draft, 'name', suggestedName(label('categories', draft.properties.category), spotOf(draft)));
  return { ...named, different: translate('same.reason.beside'), others: row.flatMap(({ id }) => id ?? []) };
}
