// @ts-check
// The fields of an organisation when it registers.

import { selectField, textField } from '../forms/fields.js';
import { translate } from '../i18n.js';
import { label } from '../taxonomies.js';
import { domainOf, KINDS } from './organisation.js';

/** @typedef {import('./organisation.js').Organisation} Organisation */

/** @param {string} text */
const webFault = (text) => (/^https?:\/\/[^\s/]+\.[^\s/]+/i.test(text) ? null : translate('organisation.web.wrong'));
/** @param {string} text */
const contactFault = (text) =>
  (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) || !webFault(text) ? null : translate('organisation.contact.wrong'));

/**
 * @param {Organisation | null} organisation the current values
 * @param {string} [name] of an organisation that registers
 * @returns {import('../forms/fields.js').FormField[]}
 */
export function organisationFields(organisation, name = '') {
  const said = (/** @type {keyof Organisation} */ name) => String(organisation?.[name] ?? '');
  const domain = textField({
    name: 'domain', label: translate('organisation.domain'), note: translate('organisation.domain.note'),
    value: said('domain'), most: 253, inputmode: 'url',
    check: (text) => (domainOf(text) ? null : translate('organisation.domain.wrong')),
  });
  const web = (/** @type {string} */ name, /** @type {string} */ key, /** @type {string | null} */ note) => textField({
    name, label: translate(key), note, value: said(/** @type {keyof Organisation} */ (name)), isRequired: false,
    most: 500, type: 'url', inputmode: 'url', check: webFault,
  });
  return [
    textField({
      name: 'name', label: translate('organisation.name'), note: translate('organisation.name.note'),
      value: said('name') || name, most: 200, autocomplete: 'organization',
    }),
    selectField({
      name: 'kind', label: translate('field.operator_kind'),
      options: KINDS.map((kind) => [kind, label('operator_kinds', kind)]), value: organisation?.kind ?? 'company',
    }),
    { ...domain, value: () => domainOf(domain.control.value) ?? domain.control.value.trim() },
    web('website', 'organisation.website', null),
    textField({
      name: 'contact', label: translate('field.contact'), note: translate('organisation.contact.note'),
      value: said('contact'), most: 500, check: contactFault,
    }),
    textField({
      name: 'data_protection_contact', label: translate('field.data_protection_contact'),
      note: translate('organisation.dpo.note'), value: said('data_protection_contact'), isRequired: false,
      most: 500, check: contactFault,
    }),
    web('privacy_policy', 'field.privacy_policy', null),
  ];
}
