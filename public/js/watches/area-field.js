// @ts-check
// The part of a form that chooses the area of a watch.

import { getJSON, Outage, Refusal } from '../api.js';
import { longField } from '../choices/fields.js';
import { fill, h, icon } from '../dom.js';
import { selectField, textField } from '../forms/fields.js';
import { language, plural, translate } from '../i18n.js';
import { lastView } from '../map/last-view.js';
import { areaWords } from './words.js';
import { boxAround } from './watches.js';

/** @typedef {import('./watches.js').Area} Area */
/** @typedef {import('../forms/fields.js').FormField} FormField */

const KINDS = ['place', 'box', 'circle', 'polygon', 'country'];

/**
 * @param {Area | null} given the area so far, which the first option keeps
 * @returns {FormField}
 */
export function areaField(given) {
  const first = /** @type {[string, string][]} */ (given ? [['given', areaWords(given)]] : []);
  const kind = selectField({
    name: 'area-kind', label: translate('watch.area'),
    options: [
      ...first, ...KINDS.map((code) => /** @type {[string, string]} */ ([code, translate(`watch.area.${code}`)])),
    ],
    value: given ? 'given' : 'place',
  });
  const parts = /** @type {Record<string, {elements: HTMLElement[], area: () => Area | null}>} */ ({
    given: { elements: [], area: () => given },
    place: placePart(), box: boxPart(), circle: circlePart(), polygon: polygonPart(), country: countryPart(),
  });
  const place = h('div', { class: 'stack' });
  const draw = () => fill(place, ...(parts[kind.control.value]?.elements ?? []));
  kind.control.addEventListener('change', () => {
    kind.complain(null);
    draw();
  });
  draw();
  const area = () => parts[kind.control.value]?.area() ?? null;
  return {
    name: 'area', label: translate('watch.area'), control: kind.control,
    element: h('div', { class: 'stack' }, kind.element, place), value: area,
    fault: () => (area() ? null : translate(`watch.area.${kind.control.value}.needed`)),
    complain: kind.complain,
  };
}

/** @param {string} name @param {string} value */
function number(name, value = '') {
  const field = textField({ name, label: translate(`watch.${name}`), value, inputmode: 'decimal' });
  return { field, read: () => Number.parseFloat(field.control.value.replace(',', '.')) };
}

function boxPart() {
  const names = ['west', 'south', 'east', 'north'];
  const edges = names.map((name) => number(name));
  const view = lastView();
  const seen = view && h('button', {
    type: 'button', class: 'button', onclick: () => {
      boxAround(view).forEach((edge, place) => { edges[place].field.control.value = String(edge); });
    },
  }, icon('map'), translate('watch.area.seen'));
  return {
    elements: [...(seen ? [seen] : []), h('div', { class: 'watch-pair' }, ...edges.map(({ field }) => field.element))],
    area: () => {
      const bbox = edges.map(({ read }) => read());
      return bbox.every(Number.isFinite) ? /** @type {Area} */ ({ type: 'box', bbox }) : null;
    },
  };
}

function circlePart() {
  const view = lastView();
  const [longitude, latitude] = view ? [view.longitude, view.latitude].map((degrees) => degrees.toFixed(5)) : ['', ''];
  const parts = [number('longitude', longitude), number('latitude', latitude), number('radius', '1000')];
  return {
    elements: [h('div', { class: 'watch-pair' }, ...parts.map(({ field }) => field.element))],
    area: () => {
      const [east, north, radius] = parts.map(({ read }) => read());
      return [east, north, radius].every(Number.isFinite)
        ? /** @type {Area} */ ({ type: 'circle', center: [east, north], radius }) : null;
    },
  };
}

function polygonPart() {
  const field = longField({
    name: 'polygon', label: translate('watch.polygon'), note: translate('watch.polygon.note'), most: 20_000,
  });
  return {
    elements: [field.element],
    area: () => {
      try {
        const json = JSON.parse(field.value());
        const coordinates = Array.isArray(json) ? json : json.geometry?.coordinates ?? json.coordinates;
        return coordinates ? /** @type {Area} */ ({ type: 'polygon', coordinates }) : null;
      } catch {
        return null;
      }
    },
  };
}

function countryPart() {
  const field = textField({
    name: 'country', label: translate('watch.country'), note: translate('watch.country.note'), most: 2,
  });
  return {
    elements: [field.element],
    area: () => {
      const country = field.value().toUpperCase();
      return /^[A-Z]{2}$/.test(country) ? /** @type {Area} */ ({ type: 'country', country }) : null;
    },
  };
}

function placePart() {
  const words = textField({ name: 'place-words', label: translate('watch.place'), isRequired: false });
  const found = selectField({ name: 'place', label: translate('watch.place.found'), options: [], value: '' });
  const said = h('p', { class: 'field-note', role: 'status' });
  found.element.hidden = true;
  /** @type {{id: string, name: string, region: string | null, country_name: string | null}[]} */
  let places = [];
  const search = async () => {
    const q = words.value();
    if (!q) return words.control.focus();
    try {
      const answer = await getJSON(`/api/places?${new URLSearchParams({ q, lang: language() })}`);
      places = answer.places.filter((/** @type {{id: string | null}} */ { id }) => id);
      fill(found.control, ...places.map((one) => (
        h('option', { value: one.id }, [one.name, one.region, one.country_name].filter(Boolean).join(', ')))));
      found.element.hidden = !places.length;
      fill(said, plural('watch.place.count', places.length));
      if (places.length) found.control.focus();
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof Outage)) throw error;
      fill(said, error.message || translate('outage'));
    }
    return undefined;
  };
  words.control.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    search();
  });
  return {
    elements: [
      words.element,
      h('div', {}, h('button', { type: 'button', class: 'button', onclick: search }, icon('search'),
        translate('watch.place.search'))),
      said, found.element,
    ],
    area: () => {
      const one = places.find(({ id }) => id === found.value());
      return one ? /** @type {Area} */ ({ type: 'place', place: String(one.id) }) : null;
    },
  };
}
