// @ts-check
// Choice of the country and the state whose law applies, where the record of a device leaves them open.

import { countryName } from '../devices/facts.js';
import { h } from '../dom.js';
import { formatList } from '../format.js';
import { segments } from '../fields/segments.js';
import { language, translate } from '../i18n.js';
import { KNOWN_COUNTRIES } from './countries.js';
import { openSelect } from './fields.js';

/** @typedef {import('../ledger/options.js').Options} Options */

const OTHER = 'other';

export class LegalPlacePicker {
  /** @param {() => void} changed called after the user chose another place */
  constructor(changed) {
    this.changed = changed;
    /** @type {string | null} */
    this.country = null;
    /** @type {string | null} */
    this.region = null;
    /** Whether the user looks for a country that the map does not suggest. */
    this.wantsOther = false;
  }

  /** The place as a query of the API, empty if the user chose none. */
  get query() {
    const query = new URLSearchParams();
    if (this.country) query.set('country', this.country);
    if (this.region) query.set('region', this.region);
    const text = query.toString();
    return text && `?${text}`;
  }

  /**
   * The fields that are needed.
   * @param {Options} options
   */
  parts(options) {
    const { country, countries, isCountryUncertain, regions } = options;
    const isBorder = isCountryUncertain && countries.length > 1;
    const isCoast = isCountryUncertain && countries.length === 1;
    const isOpen = !country || (isBorder ? this.wantsOther : Boolean(this.country) || isCountryUncertain);
    return [
      isBorder && this.border(options),
      isOpen && !isCoast && this.countrySelect(options),
      isCoast && h('details', { class: 'right-more', open: this.country !== null },
        h('summary', {}, translate('can.wrong_country')), h('p', {}, translate('can.country_uncertain')),
        this.countrySelect(options)),
      regions.length > 0 && this.regionSelect(options),
    ];
  }

  /**
   * Near a border: the countries on both sides, and a way to any other.
   * @param {Options} options
   */
  border({ country, countries }) {
    const chosen = this.wantsOther ? OTHER : country ?? '';
    const names = formatList(countries.map(countryName), language());
    const shown = country && !countries.includes(country) ? [...countries, country] : countries;
    return segments({
      legend: translate('can.country'), look: 'legal-place', name: 'legal-country', id: 'want-country', chosen,
      note: h('p', { class: 'section-note' }, translate('can.near_border', { countries: names })),
      options: [...shown, OTHER].map((value) => ({
        value, words: value === OTHER ? translate('can.other_country') : countryName(value),
      })),
      choose: (code) => this.chooseCountry(code),
    }).element;
  }

  /** @param {string} code */
  chooseCountry(code) {
    this.wantsOther = code === OTHER;
    if (code !== OTHER) this.country = code || null;
    this.region = null;
    this.changed();
  }

  /** @param {Options} options */
  countrySelect(options) {
    const names = KNOWN_COUNTRIES.map((code) => /** @type {[string, string]} */ ([code, countryName(code)]))
      .sort(([, a], [, b]) => a.localeCompare(b, language()));
    return select('country', translate('can.country'), names, this.country ?? options.country, (code) => {
      this.country = code;
      this.region = null;
      this.changed();
    });
  }

  /** @param {Options} options */
  regionSelect({ regions, region }) {
    const names = regions.map(({ code, label }) => /** @type {[string, string]} */ ([code, label]))
      .sort(([, a], [, b]) => a.localeCompare(b, language()));
    return h('div', {}, h('p', { class: 'section-note' }, translate('can.region_uncertain')),
      select('region', translate('can.region'), names, region, (code) => {
        this.region = code;
        this.changed();
      }));
  }
}

/**
 * @param {string} name @param {string} label @param {[string, string][]} options @param {string | null} value
 * @param {(code: string | null) => void} chosen
 */
function select(name, label, options, value, chosen) {
  const field = openSelect({ name, label, isRequired: false, options });
  const control = /** @type {HTMLSelectElement} */ (field.control);
  control.value = value ?? '';
  control.id = `want-${name}`;
  field.element.querySelector('label')?.setAttribute('for', control.id);
  control.addEventListener('change', () => chosen(control.value || null));
  return field.element;
}
