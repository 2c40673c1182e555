// @ts-check
// Screen that shows all answers before sending. Each answer can be changed, and open questions can
// be answered.

import { readDevice } from '../../devices/device.js';
import { sections } from '../../devices/facts.js';
import { marker, unknown } from '../../devices/terms.js';
import { h, icon } from '../../dom.js';
import { feature, precisionOf } from '../../drafts/draft.js';
import { precisionPicture, precisionWords } from '../../fields/precision.js';
import { formatList, formatPosition } from '../../format.js';
import { language, plural, translate } from '../../i18n.js';
import { categoryIcon, label } from '../../taxonomies.js';
import { asked, isAnswered } from '../questions.js';
import { sendNow } from '../send.js';

/** @typedef {import('../../devices/facts.js').Value} Value */
/** @typedef {import('../wizard.js').Wizard} Wizard */
/** @typedef {import('../wizard.js').Screen} Screen */
/** @typedef {import('../questions.js').Question} Question */

/**
 * @param {Wizard} wizard
 * @returns {Promise<Screen>}
 */
export async function reviewScreen(wizard) {
  const { draft } = wizard;
  const device = readDevice({ ...feature(draft), id: draft.id });
  const facts = new Map(sections(device).flatMap((section) => section.facts).map((fact) => [fact.field, fact.value]));
  const questions = asked(draft).filter((one) => one.part !== 'needed');
  const answered = questions.filter((one) => isAnswered(draft, one) && one.id !== 'precision');
  const open = questions.filter((one) => !isAnswered(draft, one));
  const to = (/** @type {string} */ id) => {
    wizard.returnTo = 'review';
    wizard.go(id);
  };
  const more = open.filter((one) => one.part === 'more');
  return {
    title: translate('review.title'),
    hint: null,
    room: 'full',
    map: { cell: true, sight: true },
    body: [
      h('div', { class: 'review-head' }, marker(categoryIcon(device.category), 'reported'),
        h('div', {}, h('h3', {}, device.name), h('p', {}, label('categories', device.category))),
        change(translate('ask.name.short'), () => to('name'))),
      h('dl', { class: 'review-facts' },
        row(translate('ask.place.short'), [formatPosition(draft.place?.[0] ?? 0, draft.place?.[1] ?? 0)],
          () => to('place')),
        row(translate('ask.precision.short'),
          [
            h('span', { class: 'review-precision' }, precisionPicture(precisionOf(draft), draft.place),
              h('span', {}, precisionWords(precisionOf(draft)))),
          ], () => to('precision')),
        ...answered.map((one) => row(translate(`ask.${one.id}.short`), values(wizard, one, facts), () => to(one.id)))),
      open.length > 0 && h('div', { class: 'review-open' },
        h('h3', {}, translate('review.open')), h('p', { class: 'field-note' }, translate('review.open.hint')),
        h('div', { class: 'chips' },
          ...open.map((one) => h('button', { type: 'button', class: 'chip', onclick: () => to(one.id) }, icon('plus'),
            translate(`ask.${one.id}.short`)))),
        more.length > 1 && h('button', { type: 'button', class: 'button', onclick: () => wizard.go(more[0].id) },
          plural('review.more', more.length))),
      h('p', { class: 'field-note' }, translate('review.public')),
    ],
    primary: { label: translate('review.send'), act: () => sendNow(wizard), symbol: 'send' },
  };
}

/** @param {string} what @param {() => void} act */
function change(what, act) {
  return h('button', {
    type: 'button', class: 'icon-button', 'aria-label': translate('review.change', { what }),
    title: translate('review.change', { what }), onclick: act,
  }, icon('edit'));
}

/** @param {string} what @param {(Node | string)[]} value @param {() => void} act */
function row(what, value, act) {
  return h('div', {}, h('dt', {}, what),
    h('dd', {}, h('span', { class: 'review-value' }, ...value), change(what, act)));
}

/**
 * The answers in the same words as on the page of a device.
 * @param {Wizard} wizard
 * @param {Question} question
 * @param {Map<string, Value>} facts
 * @returns {(Node | string)[]}
 */
function values({ draft }, question, facts) {
  const { properties } = draft;
  switch (question.id) {
    case 'photos': return [plural('photo.count', draft.photos.length)];
    case 'choices': {
      /** @type {{kind: string}[]} */
      const choices = properties.choices;
      return [formatList(choices.map(({ kind }) => label('choices', kind)), language())];
    }
    case 'operator': return [
      ...known(['operator', 'operator_kind', 'contact', 'privacy_policy', 'data_protection_contact'], facts),
      ...(draft.assumed.includes('operator')
        ? [' ', h('span', { class: 'assumed' }, translate('device.assumed'))]
        : []),
    ];
    default: return known(question.properties, facts);
  }
}

/** @param {string[]} fields @param {Map<string, Value>} facts @returns {(Node | string)[]} */
function known(fields, facts) {
  const values = fields.flatMap((field) => facts.get(field) ?? []);
  return values.length ? values.flatMap((value, index) => (index ? [' · ', value] : [value])) : [unknown()];
}
