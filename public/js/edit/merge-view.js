// @ts-check
// Help after two people changed the same device: the changes of both sides by field, and a choice
// for each conflict. No change is applied or dropped without appearing here.

import { getJSON } from '../api.js';
import { saidValue } from '../devices/said-value.js';
import { fieldName } from '../devices/value-words.js';
import { fill, h, icon } from '../dom.js';
import { formatList } from '../format.js';
import { authorWords, momentWords } from '../history/entry.js';
import { movementMap } from '../history/movement-map.js';
import { language, plural, translate } from '../i18n.js';
import { together } from './merge.js';

/** @typedef {import('../types').Revision} Revision */
/** @typedef {import('./merge.js').Merge} Merge */
/** @typedef {import('./merge.js').Choice} Choice */
/** @typedef {import('./merge.js').Difference} Difference */
/**
 * @typedef {object} MergeContext
 * @property {string} id id of the device
 * @property {string} category category of the device
 * @property {number | null} since revision from which editing began
 * @property {(choices: Record<string, Choice>) => void} save
 * @property {(choices: Record<string, Choice>) => void} edit returns to the form, based on the other version
 * @property {() => void} drop
 */

export class MergeView {
  /** @param {Merge} merge @param {MergeContext} context */
  constructor(merge, context) {
    this.merge = merge;
    this.context = context;
    /** @type {Record<string, Choice>} */
    this.choices = {};
    this.people = h('div', { class: 'merge-people' });
    this.trouble = h('p', { class: 'complaint', role: 'alert' });
    this.trouble.hidden = true;
    const { conflicts, mine, theirs, agreed } = merge;
    this.element = h('div', { class: 'merge' },
      h('h1', { tabindex: '-1' }, translate('merge.title')),
      h('p', { class: 'lead' }, translate(conflicts.length ? 'merge.lead' : 'merge.lead.clear')),
      this.people,
      conflicts.length > 0 && h('section', { class: 'merge-part', 'aria-labelledby': 'merge-conflicts' },
        h('h2', { id: 'merge-conflicts' }, plural('merge.conflicts', conflicts.length)),
        ...conflicts.map((difference) => this.question(difference))),
      part('merge.mine', mine, 'mine'), part('merge.theirs', theirs, 'theirs'), part('merge.agreed', agreed, 'mine'),
      this.trouble,
      h('div', { class: 'form-acts' },
        h('button', { type: 'button', class: 'button primary', onclick: () => this.go('save') }, icon('check'),
          translate('merge.save')),
        h('button', { type: 'button', class: 'button', onclick: () => this.go('edit') }, icon('edit'),
          translate('merge.edit')),
        h('button', { type: 'button', class: 'button', onclick: context.drop }, icon('trash'),
          translate('edit.discard'))));
    this.tellPeople();
  }

  /** @param {Difference} difference */
  question(difference) {
    const { field, before, mine, theirs, canBoth } = difference;
    const place = (/** @type {unknown} */ value) => /** @type {import('../types').Position} */ (value);
    /** @type {[Choice, unknown][]} */
    const options = [
      ['mine', mine], ['theirs', theirs],
      ...(canBoth ? [/** @type {[Choice, unknown]} */ (['both', together(difference)])] : []),
    ];
    return h('fieldset', { class: 'merge-question', 'data-field': field },
      h('legend', {}, fieldName(field)),
      h('p', { class: 'section-note' }, translate('merge.before'), ' ', saidValue(field, before)),
      field === 'place' && mine && theirs ? movementMap(place(theirs), place(mine), this.context.category, {
        map: translate('merge.map'), before: translate('merge.take.theirs'), after: translate('merge.take.mine'),
      }) : null,
      ...options.map(([choice, value]) => h('label', { class: 'reason' },
        h('input', {
          type: 'radio', name: `merge-${field}`, value: choice, onchange: () => {
            this.choices[field] = choice;
            this.trouble.hidden = true;
          },
        }),
        h('span', {}, h('strong', {}, translate(`merge.take.${choice}`)), saidValue(field, value)))));
  }

  /** @param {'save' | 'edit'} act */
  go(act) {
    const open = this.merge.conflicts.find(({ field }) => !this.choices[field]);
    if (!open) {
      this.context[act](this.choices);
      return;
    }
    const question = [...this.element.querySelectorAll('.merge-question')]
      .find((one) => one.getAttribute('data-field') === open.field);
    question?.querySelector('input')?.focus();
    this.say([translate('merge.choose', { field: fieldName(open.field) })]);
  }

  /** @param {(Node | string)[]} words */
  say(words) {
    this.trouble.hidden = words.length === 0;
    fill(this.trouble, words.length > 0 && icon('warning'), words.length > 0 && h('span', {}, ...words));
  }

  /** Shows the authors of the other changes, the time and the reason. */
  async tellPeople() {
    const { id, since } = this.context;
    if (since === null) return;
    const answer = await getJSON(`/api/collections/devices/items/${encodeURIComponent(id)}/history`).catch(() => null);
    /** @type {Revision[]} */
    const revisions = answer?.revisions ?? [];
    const entries = revisions.filter((entry) => entry.number > since);
    fill(this.people, entries.length > 0 && h('ul', {}, ...entries.map((entry) => h('li', {},
      icon('history'), h('span', {}, authorWords(entry), ', ', momentWords(entry.made_at)),
      entry.comment && h('q', { class: 'said' }, entry.comment)))));
  }
}

/** @param {string} title @param {Difference[]} differences @param {'mine' | 'theirs'} side */
function part(title, differences, side) {
  if (!differences.length) return null;
  return h('section', { class: 'merge-part', 'aria-labelledby': title },
    h('h2', { id: title }, plural(title, differences.length)),
    h('ul', { class: 'change-list' }, ...differences.map((difference) => h('li', {},
      h('span', { class: 'change-field' }, fieldName(difference.field)),
      h('span', { class: 'change-values' },
        h('span', { class: 'visually-hidden' }, translate('change.before'), ' '),
        h('s', { class: 'change-before' }, saidValue(difference.field, difference.before)), ' ',
        h('span', { class: 'change-arrow', 'aria-hidden': 'true' }, '→'), ' ',
        h('span', { class: 'visually-hidden' }, translate('change.after'), ' '),
        saidValue(difference.field, difference[side]))))));
}

/**
 * Field names as one list.
 * @param {Difference[]} differences
 */
export function fieldsInWords(differences) {
  return formatList(differences.map(({ field }) => fieldName(field)), language());
}
