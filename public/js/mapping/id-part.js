// @ts-check
// How a newer version of a list finds its devices again: by their ids, or by their place.

import { fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { selectField } from '../forms/fields.js';
import { language, translate } from '../i18n.js';
import { columnsFor } from './choices.js';

/** @typedef {import('./choices.js').Choices} Choices */

const DISTANCES = [5, 10, 25, 50, 100]; // metres

export class IdPart {
  /** @param {Choices} choices @param {() => void} changed */
  constructor(choices, changed) {
    this.choices = choices;
    this.warning = h('div', { role: 'status' });
    const field = selectField({
      name: 'match_within', label: translate('wizard.match'), note: translate('wizard.match.note'),
      value: String(choices.matchWithin),
      options: [['0', translate('wizard.match.never')], ...DISTANCES.map((metres) => (
        /** @type {[string, string]} */ ([String(metres), translate('wizard.match.within', {
          metres: formatNumber(metres, language()),
        })])))],
    });
    field.control.addEventListener('change', () => {
      choices.matchWithin = Number(field.control.value);
      changed();
    });
    this.element = h('div', { class: 'wizard-match' }, this.warning, field.element);
  }

  /** Says that the list has no ids, if no column has them. */
  update() {
    const hasID = columnsFor(this.choices, 'id').length > 0;
    fill(this.warning, hasID ? null : h('p', { class: 'wizard-warning' }, icon('warning'),
      h('span', {}, translate('wizard.match.no_id'))));
  }
}
