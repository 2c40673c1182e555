// @ts-check
// The positions of a list: how many rows have one, in which countries they are, and whether latitude and longitude
// are swapped.

import { getJSON } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatList, formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { columnsFor } from './choices.js';
import { pairColumn } from './guess.js';
import { hasPositions } from './list.js';
import { PointsMap } from './points-map.js';
import { areNoDegrees, areSwapped, boxOf, countriesOf, placed, some } from './positions.js';

/** @typedef {import('./list.js').List} List */
/** @typedef {import('./choices.js').Choices} Choices */
/** @typedef {import('./positions.js').Placed} Placed */
/** @typedef {import('../geography.js').Position} Position */
/** @typedef {{places: {name: string | null, count: number}[], evidence: import('./positions.js').Evidence}} Found */

export class PlacePart {
  /**
   * @param {List} list @param {Choices} choices
   * @param {() => void} swap exchanges the meanings of the two columns
   */
  constructor(list, choices, swap) {
    this.list = list;
    this.choices = choices;
    this.swap = swap;
    this.words = h('div', { class: 'wizard-place-words', role: 'status' });
    this.button = h('button', {
      type: 'button', class: 'button', 'data-act': 'swap', onclick: () => this.swap(),
    }, icon('move'), translate('wizard.swap'));
    this.map = new PointsMap();
    this.element = h('div', { class: 'wizard-place' }, h('div', {}, this.words, this.button), this.map.element);
    this.drawn = '';
    this.run = 0;
  }

  /** The longitudes and latitudes of the sample, and whether they come from columns. */
  numbers() {
    const { list, choices } = this;
    const column = (/** @type {'longitude' | 'latitude'} */ use) => {
      const [name] = columnsFor(choices, use);
      return list.columns.find((one) => one.column === name);
    };
    const [longitude, latitude] = [column('longitude'), column('latitude')];
    if (longitude && latitude) {
      return { longitudes: longitude.numbers, latitudes: latitude.numbers, isOfColumns: true };
    }
    if (!hasPositions(list) || longitude || latitude) return null;
    return {
      longitudes: list.positions.map((position) => position?.[0]),
      latitudes: list.positions.map((position) => position?.[1]), isOfColumns: false,
    };
  }

  /** Draws the positions again if their columns have changed. */
  async update() {
    const key = JSON.stringify([columnsFor(this.choices, 'longitude'), columnsFor(this.choices, 'latitude')]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.run += 1;
    const { run } = this;
    const numbers = this.numbers();
    // The button stays the same element, so that it keeps the focus.
    this.button.hidden = !numbers?.isOfColumns;
    if (!numbers) {
      fill(this.words, h('p', {}, this.missing()));
      this.map.show([]);
      return;
    }
    const found = placed(numbers.longitudes, numbers.latitudes);
    this.say(found, null, null, numbers.isOfColumns);
    this.map.show(found.points);
    const turned = placed(numbers.latitudes, numbers.longitudes);
    // Without an answer the page says only what it knows itself.
    const [given, other] = await Promise.all([this.find(found), this.find(turned)]).catch(() => [null, null]);
    if (run === this.run) this.say(found, given, other, numbers.isOfColumns);
  }

  missing() {
    const pair = pairColumn(this.list.columns);
    return pair ? translate('wizard.place.pair', { column: pair.column }) : translate('wizard.place.none');
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
