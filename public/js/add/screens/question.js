// @ts-check
// Screen for one question about a device. An assumed answer is labelled and may stay unchanged.

import { h, icon } from '../../dom.js';
import { confirmed, precisionOf, renamed, withAnswer } from '../../drafts/draft.js';
import { fieldFor } from '../../fields/fields.js';
import { fieldExplained } from '../../glossary/definition.js';
import { translate } from '../../i18n.js';
import { label, term } from '../../taxonomies.js';
import { isAnswered, questionOf } from '../questions.js';

/** @typedef {import('../wizard.js').Wizard} Wizard */
/** @typedef {import('../wizard.js').Screen} Screen */
/** @typedef {import('../questions.js').Question} Question */
/** @typedef {import('../../fields/field.js').Field} Field */
/** @typedef {ReturnType<typeof import('../../fields/bearings.js').bearingsField>} BearingsField */

/**
 * Zoom level for choosing a precision: close enough to show the public position.
 * @type {Record<string, number>}
 */
const ZOOM = { exact: 17, '100m': 16, '1km': 13.2, area: 10 };

/**
 * @param {Wizard} wizard @param {Question} question
 * @returns {Promise<Screen>}
 */
export async function questionScreen(wizard, question) {
  const { draft } = wizard;
  const isAssumed = question.properties.some((name) => draft.assumed.includes(name)) && question.id !== 'precision';
  /** @type {Record<string, Field>} */
  const fields = {};
  const next = () => {
    if (!Object.values(fields).every((field) => field.check?.() ?? true)) return;
    if (question.id === 'name' && !(wizard.draft.properties.name ?? '').trim()) {
      fields.name.complain(translate('add.name.needed'));
      fields.name.focus();
      return;
    }
    wizard.update((now) => confirmed(now, question.properties));
    wizard.next();
  };
  const drawPrimary = () => {
    if (!wizard.screen?.primary || wizard.step !== question.id) return;
    Object.assign(wizard.screen.primary, primary());
    wizard.drawFoot();
  };
  const primary = () => {
    const answered = isAnswered(wizard.draft, question);
    const assumed = question.properties.some((name) => wizard.draft.assumed.includes(name))
      && question.id !== 'precision';
    const key = assumed ? 'add.right' : answered ? 'add.next' : 'add.skip';
    return { label: translate(key), act: next, symbol: assumed ? 'check' : 'right' };
  };
  const changed = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    const kind = draft.properties.category ? label('categories', draft.properties.category) : '';
    wizard.update((now) => {
      const after = withAnswer(now, name, value);
      return name === 'precision' ? renamed(now, after, kind) : after;
    });
    if (name === 'field_of_view') {
      /** @type {BearingsField | undefined} */ (fields.bearings)?.setView(/** @type {number | null} */ (value));
    }
    if (name === 'precision') look(wizard);
    wizard.redraw();
    drawPrimary();
  };
  for (const name of question.properties) {
    fields[name] = await fieldFor(name, {
      value: name === 'precision' ? precisionOf(draft) : draft.properties[name],
      changed: (value) => changed(name, value),
      labelledBy: question.properties.length > 1 && name !== question.properties[0] ? `ask-${name}` : 'add-title',
      describedBy: 'add-hint',
      properties: draft.properties,
      position: draft.place,
      settled: question.properties.length > 1 || question.id === 'precision' ? undefined : next,
    });
  }
  for (const { field, detail } of draft.trouble?.errors ?? []) {
    if (questionOf(field) === question.id) {
      (question.properties.map((name) => fields[name]).find((_, index) => field.includes(question.properties[index]))
        ?? fields[question.properties[0]])?.complain(detail);
    }
  }
  const isDone = question.part !== 'needed' || question.id === 'name';
  return {
    title: translate(`ask.${question.id}`),
    hint: hint(question, draft.properties.operator?.kind === 'household'),
    room: question.room,
    map: question.id === 'precision'
      ? { cell: true, sight: false, zoom: ZOOM[precisionOf(draft)] }
      : question.room === 'half' ? { sight: true, zoom: 17.5 } : { sight: true },
    body: [
      isAssumed && assumedNote(wizard),
      question.id === 'name' && kindNote(wizard),
      ...question.properties.flatMap((name, index) => [
        index > 0 && question.id === 'bearings'
          && h('h3', { id: `ask-${name}`, class: 'add-more' }, translate(`ask.${name}`)), fields[name].element,
      ]),
      isDone && h('p', { class: 'field-note add-public' }, translate('add.finish.note'), ' ',
        h('button', { type: 'button', class: 'link-button', onclick: () => wizard.go('review') },
          translate('add.finish.check'))),
    ],
    primary: primary(),
    done: isDone,
  };
}

/**
 * Help for the question, and the definition of its term.
 * @param {Question} question @param {boolean} isHome
 */
function hint({ id, properties }, isHome) {
  return h('p', {}, translate(id === 'precision' && isHome ? 'ask.precision.home' : `ask.${id}.hint`), ' ',
    fieldExplained(properties[0]));
}

/** @param {Wizard} wizard */
function look(wizard) {
  const { place } = wizard.draft;
  if (place) {
    wizard.context.pane.view?.jump({
      longitude: place[0], latitude: place[1], zoom: ZOOM[precisionOf(wizard.draft)] ?? 16,
    });
  }
}

/** @param {Wizard} wizard */
function assumedNote(wizard) {
  return h('div', { class: 'add-note' }, icon('info'),
    h('p', {}, translate('add.assumed'), ' ',
      h('button', { type: 'button', class: 'link-button', onclick: () => wizard.next() },
        translate('add.assumed.leave'))));
}

/**
 * The chosen category in words, so that the user notices a mistake.
 * @param {Wizard} wizard
 */
function kindNote(wizard) {
  const known = term('categories', wizard.draft.properties.category);
  if (!known) return null;
  return h('p', { class: 'field-note' }, known.definition ?? known.label, ' ',
    h('button', { type: 'button', class: 'link-button', onclick: () => wizard.go('category') },
      translate('add.kind.change')));
}
