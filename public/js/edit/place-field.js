// @ts-check
// Field for the position of a device: a map that moves beneath a crosshair. Coordinates can also be
// typed; without WebGL this is the only way.

import { crosshair } from '../add/crosshair.js';
import { draftFeatures } from '../add/draft-features.js';
import { zoomFor } from '../devices/place-map.js';
import { fill, h, icon } from '../dom.js';
import { complaintOf, newId } from '../fields/field.js';
import { formatDistance, formatPosition, wind } from '../format.js';
import { bearingTo, distance, wrapLongitude } from '../geography.js';
import { language, translate } from '../i18n.js';
import { foldedCredits, mapButtons } from '../map/controls.js';
import { createMap } from '../map/small-map.js';
import { hasStreets } from '../map/street-maps.js';
import { announce } from '../page/notices.js';
import { settings as askSettings } from '../page/start.js';
import { onTheme, theme } from '../page/theme.js';
import { parseCoordinates } from '../places/coordinates.js';
import { locate, locateTrouble } from '../places/locate.js';

/** @typedef {import('../fields/field.js').FieldContext} FieldContext */
/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../map/map-view.js').MapView} MapView */

/**
 * @param {FieldContext & {properties: Record<string, any>}} context `position`: true position, or the best known one
 * @returns {import('./fields.js').FormField}
 */
export function placeField(context) {
  const { properties } = context;
  const start = context.position ?? /** @type {Position} */ (context.value);
  /** @type {Position} */
  let now = start;
  /** @type {MapView | null} */
  let view = null;
  const id = newId('place');
  const stage = h('div', { class: 'map place-map' });
  const input = /** @type {HTMLInputElement} */ (h('input', {
    id, class: 'text-input', autocomplete: 'off', spellcheck: 'false', value: formatPosition(start[0], start[1], 6),
  }));
  const complaint = complaintOf(input);
  const moved = h('p', { class: 'field-note', 'aria-live': 'polite' });
  const hint = h('p', { class: 'field-note', id: `${id}-hint` }, translate('place.hint'));
  const coarse = properties.precision && properties.precision !== 'exact';

  const draw = () => view?.describe(draftFeatures({ place: now, properties }, { cell: true, sight: true }));
  const tell = () => {
    const metres = distance(start, now);
    moved.textContent = metres < 0.5 ? translate('place.same')
      : translate('place.moved', {
        distance: formatDistance(metres, language()), wind: translate(`wind.${wind(bearingTo(start, now))}`),
      });
  };
  const take = (/** @type {Position} */ position) => {
    now = /** @type {Position} */ (position.map((degrees) => Math.round(degrees * 1e7) / 1e7));
    complaint.say(null);
    draw();
    tell();
    context.changed(distance(start, now) < 0.5 ? context.value : now);
  };
  const show = () => { input.value = formatPosition(now[0], now[1], 6); };
  const here = () => {
    if (!view) return;
    const { lng, lat } = view.map.getCenter();
    take([wrapLongitude(lng), lat]);
    show();
    announce(translate('place.put', { position: input.value }));
  };
  // Applied during typing, so that leaving the field does not move a button under the pointer.
  input.addEventListener('input', () => {
    const read = parseCoordinates(input.value);
    if (read) take([read.longitude, read.latitude]);
  });
  const check = () => {
    const isRead = parseCoordinates(input.value) !== null;
    complaint.say(isRead ? null : translate('place.unread'));
    if (!isRead) input.focus();
    return isRead;
  };
  const goThere = () => view?.jump({ longitude: now[0], latitude: now[1], zoom: view.view.zoom });
  input.addEventListener('change', goThere);
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (check()) goThere();
  });
  async function findMe() {
    try {
      const { position } = await locate();
      if (view) view.fly(position, 17);
      else {
        take(position);
        show();
      }
      announce(translate('place.found'));
    } catch (error) {
      complaint.say(translate(locateTrouble(error)));
    }
  }
  const button = h('button', { type: 'button', class: 'button', onclick: here }, icon('pin'), translate('place.here'));
  button.hidden = true;
  const element = h('div', { class: 'field place-field' },
    coarse && h('p', { class: 'field-note' }, icon('info'), ' ',
      translate(context.position && context.value
        && distance(context.position, /** @type {Position} */ (context.value)) > 0.5 ? 'place.true' : 'place.coarse')),
    hint, stage, button, moved,
    h('label', { for: id, class: 'field-label' }, translate('place.typed')), input, complaint.element,
    coarse && h('p', { class: 'field-note' }, translate('place.cell')));

  async function drawMap() {
    const settings = await askSettings();
    const canvas = h('div', { class: 'map-canvas' });
    fill(stage, canvas);
    try {
      const plain = !hasStreets(settings, now);
      view = await createMap({
        container: canvas, settings, theme: theme(), language: language(), filters: '', lastZoom: 16,
        categories: [properties.category ?? 'other'],
        view: {
          longitude: now[0], latitude: now[1],
          zoom: plain ? Math.min(15, zoomFor(properties.precision)) : zoomFor(properties.precision) + 1,
        },
      });
    } catch {
      stage.remove();
      hint.textContent = translate('place.hint_mapless');
      return;
    }
    const shown = view;
    button.hidden = false;
    stage.append(mapButtons(shown, findMe), h('div', { class: 'map-foot' }, foldedCredits(settings)));
    shown.map.on('click', (/** @type {{lngLat: unknown}} */ event) => (
      shown.map.easeTo({ center: event.lngLat, duration: 250 })));
    onTheme((next) => { if (view === shown) shown.setTheme(next); });
    crosshair(stage, shown, { place: here, describedBy: hint.id });
    draw();
  }
  tell();
  return {
    element,
    value: () => now,
    complain: complaint.say,
    focus: () => input.focus(),
    check,
    shown: () => { drawMap(); },
    left: () => {
      view?.map.remove();
      view = null;
    },
  };
}
