// @ts-check
// The element of the wizard: a head with the progress, a screen, and buttons below it.

import { fill, h, icon, iconButton } from '../dom.js';
import { translate } from '../i18n.js';
import { isPhone } from '../panel.js';

/** @typedef {import('./wizard.js').Screen} Screen */
/** @typedef {import('./wizard.js').Act} Act */

const USUAL_STEPS = 12; // before the category is known

export class Frame {
  /**
   * @param {object} acts
   * @param {() => void} acts.leave
   * @param {() => void} acts.review opens the review of the answers
   * @param {(pixels: number | null) => void} acts.covers called with the height of the map that is covered; null: none
   */
  constructor({ leave, review, covers }) {
    this.review = review;
    this.covers = covers;
    this.back = iconButton('back', translate('add.back'), { onclick: () => history.back() });
    this.counter = h('div', { class: 'add-progress' });
    this.title = h('h2', { id: 'add-title', tabindex: '-1' });
    this.hint = h('div', { class: 'add-hint', id: 'add-hint' });
    this.body = h('div', { class: 'add-body' });
    this.foot = h('div', { class: 'add-foot' });
    this.element = h('section', { class: 'add', id: 'add', 'aria-labelledby': 'add-title' },
      h('div', { class: 'add-head' }, this.back, this.counter,
        iconButton('close', translate('add.close'), { onclick: leave })),
      this.body, this.foot);
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector(':popover-open, dialog[open]')) {
        leave();
      }
    });
    this.measured = new ResizeObserver(() => this.measure());
  }

  get isOpen() {
    return this.element.isConnected;
  }

  open() {
    document.body.classList.add('is-adding');
    for (const part of document.querySelectorAll('.panel, .topbar, .skip-link')) part.toggleAttribute('inert', true);
    document.getElementById('main')?.prepend(this.element);
    this.measured.observe(this.element);
  }

  close() {
    this.measured.disconnect();
    this.element.remove();
    document.body.classList.remove('is-adding', 'is-placing');
    for (const part of document.querySelectorAll('.panel, .topbar, .skip-link')) part.removeAttribute('inert');
    this.covers(null);
  }

  /** @param {Screen} screen */
  draw({ room, title, hint, body, done }) {
    this.element.dataset.room = room;
    document.body.classList.toggle('is-placing', room === 'low');
    document.querySelector('.topbar')?.toggleAttribute('inert', room !== 'low');
    this.title.textContent = title;
    fill(this.hint, hint ?? null);
    this.hint.hidden = !hint;
    fill(this.body, this.title, this.hint, ...body,
      done && h('p', { class: 'field-note add-public' }, translate('add.finish.note'), ' ',
        h('button', { type: 'button', class: 'link-button', onclick: this.review }, translate('add.finish.check'))));
    this.body.scrollTop = 0;
  }

  /**
   * @param {{step: number, steps: number | null} | null} progress `steps`: null before the category is known
   * @param {boolean} hasWayBack
   */
  count(progress, hasWayBack) {
    this.back.toggleAttribute('hidden', !hasWayBack);
    if (!progress) return fill(this.counter);
    const { step, steps } = progress;
    return fill(this.counter,
      h('span', { class: 'add-step' }, translate(steps ? 'add.step' : 'add.step.first', { step, steps: steps ?? '' })),
      h('progress', { max: steps ?? USUAL_STEPS, value: step, 'aria-hidden': 'true' }));
  }

  /**
   * Draws the buttons below the screen, the primary one last. If one of them had the focus, the button that replaces it
   * receives the focus.
   * @param {(Act | null | undefined | false)[]} others @param {Act | null} primary
   */
  offer(others, primary) {
    const old = [...this.foot.children];
    const made = [...others, primary].flatMap((act) => (act ? [h('button', {
      type: 'button', class: act === primary ? 'button primary' : 'button', onclick: act.act,
      'aria-disabled': act.off ? 'true' : null,
    }, act.symbol && icon(act.symbol), h('span', {}, act.label))] : []));
    const held = old.findIndex((one) => one === document.activeElement);
    fill(this.foot, ...made);
    this.foot.hidden = made.length === 0;
    if (held >= 0) made[Math.min(held + Math.max(0, made.length - old.length), made.length - 1)]?.focus();
  }

  /** Reports how much of the map is covered. */
  measure() {
    this.covers(!isPhone() || this.element.dataset.room === 'full' ? 0 : this.element.offsetHeight);
  }
}
