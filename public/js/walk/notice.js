// @ts-check
// The question after a *Yes*: «Same operator, same notice?», or what the notice says.

import { fill, h, icon } from '../dom.js';
import { selectField, textField } from '../forms/fields.js';
import { translate } from '../i18n.js';
import { allTerms, label } from '../taxonomies.js';
import { carried, gaps } from './carry.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('./carry.js').Facts} Facts */
/** @typedef {import('./carry.js').Seen} Seen */

/**
 * The question about a device whose presence was confirmed; null if it lacks nothing.
 * @param {Device} device @param {readonly Seen[]} seen
 * @param {(facts: Facts | null) => void} done null: the person goes on without an answer
 */
export function noticeQuestion(device, seen, done) {
  const lacks = gaps(device);
  if (!lacks.operator && !lacks.signage) return null;
  const element = h('section', { class: 'paper walk-notice', 'aria-labelledby': 'walk-notice' });
  const ask = () => fill(element, ...whatItSays(lacks, done));
  const offer = carried(device, seen);
  if (offer) {
    fill(element, ...theSame(offer, done, () => {
      ask();
      focusOn(element);
    }));
  } else ask();
  return element;
}

/** @param {HTMLElement} element */
export function focusOn(element) { /** @type {HTMLElement | null} */ (element.querySelector('h2'))?.focus(); }

/** @param {string} key */
function heading(key) { return h('h2', { id: 'walk-notice', tabindex: '-1' }, translate(key)); }

/** @param {Seen} offer @param {(facts: Facts | null) => void} done @param {() => void} other */
function theSame(offer, done, other) {
  const { operator, signage } = offer;
  const key = operator && signage ? 'both' : operator ? 'operator' : 'signage';
  return [
    heading(`walk.same.${key}`),
    h('p', { class: 'section-note' }, translate('walk.same.as'), ' ', h('bdi', {}, offer.name)),
    h('dl', { class: 'watch-facts' },
      operator && h('div', {}, h('dt', {}, translate('walk.operator')), h('dd', { class: 'said' }, operator.name)),
      signage && h('div', {}, h('dt', {}, translate('walk.notice')), h('dd', {}, label('signage', signage)))),
    h('div', { class: 'form-acts' },
      h('button', {
        type: 'button', class: 'button primary', onclick: () => done({ operator, signage }),
      }, icon('check'), translate('walk.same.yes')),
      h('button', { type: 'button', class: 'button', onclick: other }, translate('walk.same.other')),
      h('button', { type: 'button', class: 'button', onclick: () => done(null) }, translate('walk.same.skip'))),
  ];
}

/** @param {{operator: boolean, signage: boolean}} lacks @param {(facts: Facts | null) => void} done */
function whatItSays(lacks, done) {
  const notice = selectField({
    name: 'signage', label: translate('walk.notice'), value: '',
    options: [['', translate('walk.notice.none_chosen')],
      ...[...allTerms('signage')?.keys() ?? []].filter((code) => code !== 'unknown')
        .map((code) => /** @type {[string, string]} */ ([code, label('signage', code)]))],
  });
  const operator = textField({
    name: 'operator', label: translate('walk.operator'), note: translate('walk.operator.note'), isRequired: false,
    most: 200,
  });
  const form = h('form', {
    class: 'stack', onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const name = lacks.operator ? operator.value() : '';
      const signage = lacks.signage ? notice.control.value : '';
      done(name || signage ? { operator: name ? { name, kind: 'unknown' } : null, signage: signage || null } : null);
    },
  },
    lacks.signage && notice.element, lacks.operator && operator.element,
    h('div', { class: 'form-acts' },
      h('button', { type: 'submit', class: 'button primary' }, icon('check'), translate('walk.notice.save')),
      h('button', { type: 'button', class: 'button', onclick: () => done(null) }, translate('walk.same.skip'))));
  return [heading('walk.notice.title'), form];
}
