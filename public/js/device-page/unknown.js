// @ts-check
// The facts about a device that are not recorded: folded behind their number, with one button to add
// them.

import { correctLink, editAddress } from '../devices/tools.js';
import { h, icon } from '../dom.js';
import { fieldWords } from '../glossary/definition.js';
import { plural, translate } from '../i18n.js';

/** @typedef {import('../devices/facts.js').Section} Section */
/** @typedef {import('../devices/facts.js').Fact} Fact */
/** @typedef {import('../operators/statement.js').Said} Said */

/** Sections whose facts the server sets. They also show what is unknown. */
const RECORDS = ['record'];

/** Names of facts that are clear only below the heading of their section. */
const FULL_NAMES = /** @type {Record<string, string>} */ ({
  operator: 'said.operator_name', operator_kind: 'said.operator_kind', contact: 'said.operator_contact',
});

/**
 * The facts of a section to show in it: those that are recorded, or stated by the operator.
 * @param {Section} part @param {Said} said
 * @returns {Fact[]}
 */
export function shownFacts(part, said) {
  if (RECORDS.includes(part.id)) return part.facts;
  return part.facts.filter((fact) => fact.value !== null || said(fact.field) !== null);
}

/**
 * @param {string} id of the device @param {Section[]} parts @param {Said} said
 * @returns {HTMLElement | null} null if everything is recorded
 */
export function unknownFacts(id, parts, said) {
  const rows = parts.filter((part) => !RECORDS.includes(part.id)).flatMap((part) => {
    const shown = shownFacts(part, said);
    return part.facts.filter((fact) => !shown.includes(fact)).flatMap((fact) => {
      const link = correctLink(id, fact.field);
      const name = FULL_NAMES[fact.field];
      return link ? [h('li', {}, name ? translate(name) : fieldWords(fact.field), link)] : [];
    });
  });
  if (!rows.length) return null;
  return h('section', { class: 'fact-section unknown-facts', 'aria-labelledby': 'section-unknown' },
    h('h2', { id: 'section-unknown' }, translate('device.unknown')),
    h('details', {}, h('summary', {}, plural('device.unknown', rows.length)), h('ul', {}, ...rows)),
    h('p', {}, h('a', { class: 'button', href: editAddress(id) }, icon('plus'), translate('device.unknown.add'))));
}
