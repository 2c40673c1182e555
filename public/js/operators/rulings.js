// @ts-check
// For moderators: merge an operator into another, split off a spelling, withhold the name of a person, undo.

import { getJSON, send } from '../api.js';
import { ask, askText } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { namedPath } from './named.js';

/** @typedef {import('./named.js').NamedDetails} NamedDetails */
/** @typedef {{id: string, kind: 'merge' | 'split' | 'withhold', key: string, into: string | null}} Ruling */

const PATH = '/api/moderation/operator-rulings';

/** @param {NamedDetails} operator @param {() => Promise<void>} again loads the page again */
export function rulingsPart(operator, again) {
  const place = h('div', {});
  const into = /** @type {HTMLInputElement} */ (h('input',
    { type: 'text', id: 'merge-operator', class: 'text-input', maxlength: '400', autocomplete: 'off' }));
  const element = h('section', { class: 'paper', 'aria-labelledby': 'rulings-title' },
    h('h2', { id: 'rulings-title' }, translate('rulings.title')),
    h('p', { class: 'section-note' }, translate('rulings.what')), place,
    h('form', { class: 'form', onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (into.value.trim()) decide('merge', operator.key, into.value.trim());
      else into.focus();
    } },
    h('div', { class: 'field' },
      h('label', { class: 'field-label', for: 'merge-operator' }, translate('rulings.merge.into')), into),
    h('div', { class: 'form-acts' },
      h('button', { type: 'submit', class: 'button' }, translate('rulings.merge')),
      h('button', { type: 'button', class: 'button grave', onclick: () => decide('withhold', operator.key) },
        translate('rulings.withhold')))),
    operator.spellings.length > 1 && h('div', { class: 'chips' }, ...operator.spellings.map(({ name }) => h('button', {
      type: 'button', class: 'chip', onclick: () => decide('split', name),
    }, translate('rulings.split', { name })))));

  /** @param {Ruling['kind']} kind @param {string} name @param {string} [target] */
  async function decide(kind, name, target) {
    const words = translate(`rulings.${kind}.why`, { name, into: target ?? '' });
    const reason = kind === 'withhold' ? await agreed(words) : await why(words);
    if (!reason) return;
    const json = { kind, operator: name, ...(kind !== 'withhold' && { reason }), ...(target && { into: target }) };
    if (!await steadily(saidOver(element), () => send('POST', PATH, { json }))) return;
    toast(translate('rulings.done'));
    if (kind === 'withhold') location.assign('/operators');
    else if (kind === 'merge' && target) location.assign(namedPath(target));
    else await again();
  }

  /** @param {Ruling} ruling */
  async function undo(ruling) {
    const reason = await why(translate('order.undo.why'));
    if (!reason) return;
    const path = `${PATH}/${encodeURIComponent(ruling.id)}/undo`;
    if (!await steadily(saidOver(element), () => send('POST', path, { json: { reason } }))) return;
    toast(translate('order.undone'));
    await again();
  }

  getJSON(`${PATH}?${new URLSearchParams({ operator: operator.key, limit: '100' })}`).then(
    (/** @type {{rulings: Ruling[]}} */ { rulings }) => fill(place, rulings.length > 0 && h('ul', { class: 'points' },
      ...rulings.map((ruling) => h('li', {},
        translate(`rulings.${ruling.kind}.stands`, { key: ruling.key, into: ruling.into ?? '' }), ' ',
        h('button', { type: 'button', class: 'chip', onclick: () => undo(ruling) }, icon('back'),
          translate('order.undo')))))),
    () => null);
  return element;
}

/**
 * The name of a person is withheld without a reason in words, which the log would keep.
 * @param {string} title @returns {Promise<string | null>}
 */
function agreed(title) {
  return ask({
    title, words: translate('rulings.withhold.what'),
    answers: [
      { value: 'no', label: translate('form.cancel') },
      { value: 'yes', label: translate('rulings.withhold'), look: 'grave' },
    ],
  }).then((answer) => (answer === 'yes' ? answer : null));
}

/** @param {string} title */
function why(title) {
  return askText({
    title, label: translate('order.reason'), yes: translate('rulings.decide'), no: translate('form.cancel'),
    longest: 500, look: 'order',
  });
}
