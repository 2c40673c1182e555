// @ts-check
// The three steps of a first contribution. This browser remembers which of them the person has done.

import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { item } from '../storage/kept.js';

const KEPT = 'farol.look';
export const STEPS = Object.freeze(['where', 'say', 'fact']);

/** @typedef {'where' | 'say' | 'fact'} Step */

export class Steps {
  constructor() {
    /** @type {Set<string>} */
    this.done = new Set(remembered());
    this.element = h('ol', { class: 'look-steps' });
    this.draw();
  }

  /** @param {Step} step */
  finish(step) {
    if (this.done.has(step)) return;
    this.done.add(step);
    try {
      // Only contributions: the next visit starts with the question where the person is.
      item(KEPT).set([...this.done].filter((name) => name !== 'where').join(','));
    } catch {
      // The browser refuses storage: the next visit starts again.
    }
    this.draw();
  }

  /** Whether the person has made a contribution of each kind. */
  get isOver() { return this.done.has('say') && this.done.has('fact'); }

  draw() {
    fill(this.element, ...STEPS.map((step) => {
      const isDone = this.done.has(step);
      return h('li', { class: isDone ? 'is-done' : null },
        h('span', { class: 'look-mark', 'aria-hidden': isDone ? null : 'true' }, isDone && icon('check'),
          isDone && h('span', { class: 'visually-hidden' }, translate('look.done'))),
        h('div', {}, h('strong', {}, translate(`look.step.${step}`)), translate(`look.step.${step}.how`)));
    }));
  }
}

function remembered() {
  try {
    return (item(KEPT).get() ?? '').split(',').filter((name) => STEPS.includes(name));
  } catch {
    return [];
  }
}
