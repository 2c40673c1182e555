// @ts-check
// The positions of a list: how many rows have one, in which countries they are, whether latitude and longitude are
// swapped, and their coordinate system if they are no degrees.

import { getJSON, send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatList, formatNumber } from '../format.js';
import { selectField } from '../forms/fields.js';
import { language, plural, translate } from '../i18n.js';
import { columnsFor } from './choices.js';
import { pairsOf } from './list.js';
import { LATITUDE_FIRST, LONGITUDE_FIRST } from './place-guess.js';
import { PointsMap } from './points-map.js';
import { areNoDegrees, areSwapped, boxOf, countriesOf, placed, some } from './positions.js';
import { SystemField } from './system-field.js';

/** @typedef {import('./list.js').List} List */
/** @typedef {import('./choices.js').Choices} Choices */
/** @typedef {import('./place-guess.js').Pair} Pair */
/** @typedef {import('./positions.js').Placed} Placed */
/** @typedef {{places: import('./positions.js').Country[], evidence: import('./positions.js').Evidence}} Found */

export class PlacePart {
  /**
   * @param {List} list @param {Choices} choices
   * @param {{swap: () => void, changed: () => void}} acts `swap` exchanges the meanings of two columns
   */
  constructor(list, choices, { swap, changed }) {
    this.list = list;
    this.choices = choices;
    this.swap = swap;
    this.changed = changed;
    this.words = h('div', { class: 'wizard-place-words', role: 'status' });
    this.country = h('div', { class: 'wizard-country' });
    this.button = h('button', {
      type: 'button', class: 'button', 'data-act': 'swap', onclick: () => this.turn(),
    }, icon('move'), translate('wizard.swap'));
    this.system = new SystemField(list, choices, changed);
    this.map = new PointsMap();
    this.element = h('div', { class: 'wizard-place' },
      h('div', {}, this.words, this.button, this.system.element, this.country), this.map.element);
    this.drawn = '';
    this.run = 0;
  }

  /** Exchanges latitude and longitude: of two columns, or of the numbers of one. */
  turn() {
    const [column] = columnsFor(this.choices, 'position');
    if (!column) {
      this.swap();
      return;
    }
    const stated = this.list.columns.find((one) => one.column === column)?.order;
    const order = this.choices.orders[column] ?? stated ?? LATITUDE_FIRST;
    this.choices.orders[column] = order === LATITUDE_FIRST ? LONGITUDE_FIRST : LATITUDE_FIRST;
    this.changed();
  }

  /** Draws the positions again if the choices about them have changed. */
  async update() {
    const { choices, list } = this;
    const columns = ['longitude', 'latitude', 'position'].map((use) => (
      columnsFor(choices, /** @type {import('./guess.js').Use} */ (use))));
    const key = JSON.stringify([columns, choices.orders, choices.templates, choices.input.crs]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.run += 1;
    const { run } = this;
    const numbers = pairsOf(list, choices);
    // The button stays the same element, so that it keeps the focus.
    this.button.hidden = !numbers?.isOfColumns;
    if (!numbers) {
      this.system.show([], false);
      fill(this.words, h('p', {}, translate('wizard.place.none')));
      this.map.show([]);
      return;
    }
    this.system.show(numbers.pairs, areNoDegrees(placed(numbers.pairs)));
    const converted = choices.input.crs ? await this.converted(numbers.pairs, choices.input.crs) : null;
    if (run !== this.run) return;
    const pairs = converted ?? numbers.pairs;
    const found = placed(pairs);
    this.say(found, null, null, numbers.isOfColumns);
    this.map.show(found.points);
    const turned = placed(converted ? [] : pairs.map((pair) => pair && /** @type {Pair} */ ([pair[1], pair[0]])));
    // Without an answer the page says only what it knows itself.
    const [given, other] = await Promise.all([this.find(found), this.find(turned)]).catch(() => [null, null]);
    if (run === this.run) this.say(found, given, other, numbers.isOfColumns);
  }

  /**
   * The positions in degrees; null if the server does not know the coordinate system.
   * @param {(Pair | null)[]} positions @param {string} crs
   * @returns {Promise<(Pair | null)[] | null>}
   */
  async converted(positions, crs) {
    try {
      const { body } = await send('POST', '/api/coordinate-conversions', { json: { crs, positions } });
      this.system.named(body.name);
      return body.positions;
    } catch {
      this.system.named(null);
      return null;
    }
  }

  /**
   * Asks where positions are, and for the devices in their area.
   * @param {Placed} found
   * @returns {Promise<Found>}
   */
  async find({ points }) {
    const box = boxOf(points);
    if (!box) return { places: [], evidence: { usable: 0, nowhere: 0, asked: 0, devices: 0 } };
    const asked = some(points);
    const near = asked.map((position) => `near=${position.join(',')}`).join('&');
    const [{ places }, { numberMatched }] = await Promise.all([
      getJSON(`/api/places/nearest?${near}&lang=${language()}`),
      getJSON(`/api/collections/devices/items?bbox=${box.join(',')}&limit=1`),
    ]);
    return {
      places: countriesOf(places),
      evidence: {
        usable: points.length, asked: asked.length, devices: numberMatched ?? 0,
        nowhere: places.filter((/** @type {unknown} */ place) => place === null).length,
      },
    };
  }

  /**
   * @param {Placed} found @param {Found | null} given @param {Found | null} turned @param {boolean} isOfColumns
   */
  say(found, given, turned, isOfColumns) {
    const { points, missing, outside, zero } = found;
    const number = (/** @type {number} */ count) => formatNumber(count, language());
    const isWrong = given !== null && turned !== null && areSwapped(given.evidence, turned.evidence);
    const where = given && wordsOf(given);
    fill(this.words,
      h('p', {}, translate('wizard.place.found', {
        count: number(points.length), rows: number(points.length + missing + outside),
      }), where && ` ${translate('wizard.place.where', { places: where })}`),
      areNoDegrees(found) && !isWrong && warning(translate('wizard.place.no_degrees')),
      outside > 0 && !areNoDegrees(found) && !isWrong && warning(plural('wizard.place.outside', outside)),
      zero > 0 && warning(plural('wizard.place.zero', zero)),
      isWrong && warning(suggestion(given, turned), ' ',
        translate(isOfColumns ? 'wizard.swapped' : 'wizard.swapped.file')));
    this.button.classList.toggle('primary', isWrong);
    if (given) this.ask(given);
  }

  /**
   * The question whether all devices are in one country.
   * @param {Found} given
   */
  ask({ places }) {
    const { choices } = this;
    const known = places.filter(({ code }) => code !== null);
    if (choices.country && !known.some(({ code }) => code === choices.country)) {
      known.push({ code: choices.country, name: choices.country, count: 0 });
    }
    if (!known.length) {
      fill(this.country);
      return;
    }
    const field = selectField({
      name: 'country', label: translate('wizard.country'), note: translate('wizard.country.note'),
      value: choices.country,
      options: [['', translate('wizard.country.any')], ...known.map(({ code, name }) => (
        /** @type {[string, string]} */ ([code ?? '', name ?? code ?? ''])))],
    });
    field.control.addEventListener('change', () => {
      choices.country = field.control.value;
      this.changed();
    });
    fill(this.country, field.element);
  }
}

/** @param {Found} given @param {Found} turned */
function suggestion(given, turned) {
  const [there, instead] = [wordsOf(given), wordsOf(turned)];
  if (there && instead) return translate('wizard.swapped.mean', { given: there, turned: instead });
  return instead ? translate('wizard.swapped.instead', { turned: instead }) : '';
}

/**
 * The countries in words; empty if no place is known.
 * @param {Found} found
 */
function wordsOf({ places }) {
  if (!places.some(({ name }) => name !== null)) return '';
  return formatList(places.slice(0, 4).map(({ name }) => name ?? translate('wizard.place.nowhere')), language());
}

/** @param {...(string | Node)} words */
function warning(...words) {
  return h('p', { class: 'wizard-warning' }, icon('warning'), h('span', {}, ...words));
}
