// @ts-check
// A form. Errors appear at each field and in a summary that receives the focus. Entered text is
// never lost. During an outage the form waits for the connection.

import { connection, Outage, Refusal } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatTime } from '../format.js';
import { language, plural, translate } from '../i18n.js';

/** @typedef {import('./fields.js').FormField} FormField */
/** @typedef {{field?: FormField, words: (string | Node)[]}} Trouble */
/**
 * @typedef {object} FormOptions
 * @property {FormField[]} fields in order; their names are names of the API
 * @property {(string | Node | null | false)[]} [body] content of the form including the fields; by default only the
 *   fields
 * @property {string} submit label of the button
 * @property {string} [symbol] symbol of the button
 * @property {boolean} [isDanger]
 * @property {(string | Node)[]} [beside] content next to the button
 * @property {(values: Record<string, any>) => Promise<void>} act
 * @property {boolean} [isRepeatable] whether to send again automatically when the connection is back
 * @property {(refusal: Refusal) => Trouble[] | null} [explain] messages for a refusal that needs a specific text; null:
 *   default message
 */

let count = 0;

export class Form {
  /** @param {FormOptions} options */
  constructor(options) {
    this.options = options;
    this.isBusy = false;
    /** @type {symbol | null} identifies the attempt that waits for the connection */
    this.waiting = null;
    /** @type {Trouble[]} */
    this.troubled = [];
    count += 1;
    this.id = `trouble-${count}`;
    this.summary = h('div', { class: 'form-trouble', tabindex: '-1', role: 'group', 'aria-labelledby': this.id });
    this.summary.hidden = true;
    this.button = h('button', { type: 'submit', class: `button ${options.isDanger ? 'danger' : 'primary'}` },
      options.symbol ? icon(options.symbol) : null, options.submit);
    this.progress = h('span', { class: 'visually-hidden', role: 'status' });
    // With «post», a form sent without its script does not put the values into the URL.
    this.element = /** @type {HTMLFormElement} */ (h('form', { class: 'form', novalidate: true, method: 'post' },
      this.summary, ...(options.body ?? options.fields.map((field) => field.element)),
      h('div', { class: 'form-acts' }, this.button, ...(options.beside ?? []), this.progress)));
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    this.element.addEventListener('input', () => {
      this.waiting = null;
      this.look();
    });
    this.element.addEventListener('change', () => this.look());
  }

  /** Validates the form and sends it if it has no errors. */
  async submit() {
    if (this.isBusy) return;
    this.waiting = null;
    const { fields, act } = this.options;
    const faults = fields.flatMap((field) => {
      const words = field.fault();
      return words ? [{ field, words: [words] }] : [];
    });
    this.show(faults);
    if (faults.length) return;
    for (const field of fields) field.conceal?.();
    this.become(true);
    try {
      await act(Object.fromEntries(fields.map((field) => [field.name, field.value()])));
    } catch (error) {
      this.fail(error);
    } finally {
      this.become(false);
    }
  }

  /** @param {boolean} isBusy */
  become(isBusy) {
    this.isBusy = isBusy;
    this.element.setAttribute('aria-busy', String(isBusy));
    // Not disabled, because that would remove the focus.
    if (isBusy) this.button.setAttribute('aria-disabled', 'true');
    else this.button.removeAttribute('aria-disabled');
    this.progress.textContent = isBusy ? translate('form.sending') : '';
  }

  /** @param {unknown} error */
  fail(error) {
    if (error instanceof Outage) return this.wait(error);
    if (!(error instanceof Refusal)) {
      this.show([{ words: [translate('error.unexpected')] }]);
      throw error;
    }
    return this.show(this.options.explain?.(error) ?? this.troubles(error));
  }

  /** @param {Refusal} refusal @returns {Trouble[]} */
  troubles(refusal) {
    if (refusal.status === 429 && refusal.retryAfter) return [{ words: [tooMany(refusal)] }];
    const named = (refusal.problem.errors ?? []).map(({ field: name, detail }) => (
      { field: this.options.fields.find((field) => field.name === name), words: [detail] }));
    return named.length ? named : [{ words: [refusal.message] }];
  }

  /** @param {Outage} outage */
  async wait(outage) {
    const mine = Symbol('waiting');
    this.waiting = mine;
    const isOut = connection.reach !== 'fine';
    const repeats = isOut && this.options.isRepeatable === true;
    this.show([{
      words: [outage.message || translate('outage'), ' ', translate(repeats ? 'form.waiting' : 'form.kept')],
    }]);
    if (!isOut) return;
    await connection.recovered();
    if (this.waiting !== mine) return;
    if (repeats) await this.submit();
    else this.show([{ words: [translate('form.back', { button: this.options.submit })] }]);
  }

  /**
   * Shows errors in the summary. An empty list removes it.
   * @param {Trouble[]} troubles
   */
  show(troubles) {
    for (const field of this.options.fields) field.complain(troubles.find((trouble) => trouble.field === field)?.words
      ?? null);
    this.troubled = troubles;
    this.summarise();
    if (!troubles.length) return;
    this.summary.focus();
    this.summary.scrollIntoView({ block: 'nearest' });
  }

  summarise() {
    const { troubled } = this;
    this.summary.hidden = troubled.length === 0;
    fill(this.summary);
    if (!troubled.length) return;
    const isOne = troubled.length === 1 && !troubled[0].field;
    fill(this.summary, icon('warning'), isOne ? h('p', { id: this.id }, ...troubled[0].words) : h('div', {},
      h('p', { id: this.id, class: 'form-trouble-title' }, translate('form.trouble')),
      h('ul', {},
        ...troubled.map(({ field, words }) => h('li', {},
          ...(field ? [pointer(field), ': ', plainWords(words)] : words))))));
  }

  /** Removes corrected errors from the summary. */
  look() {
    const left = this.troubled.filter(({ field }) => !field || field.element.querySelector('.complaint:not([hidden])'));
    if (left.length === this.troubled.length) return;
    this.troubled = left;
    this.summarise();
  }
}

/**
 * Link from the summary to a field.
 * @param {FormField} field
 */
function pointer({ control, label }) {
  return h('a', {
    href: `#${control.id}`,
    onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      control.focus();
    },
  }, label);
}

/**
 * Links appear only at the field.
 * @param {(string | Node)[]} words
 */
function plainWords(words) {
  return words.filter((part) => typeof part === 'string').join('').trim();
}

/**
 * Message with the time of the next possible attempt.
 * @param {Refusal} refusal
 */
export function tooMany(refusal) {
  const seconds = refusal.retryAfter ?? 60;
  if (seconds < 90) return plural('form.too_many.seconds', seconds);
  return translate('form.too_many.until', {
    minutes: Math.ceil(seconds / 60), time: formatTime(Date.now() + seconds * 1_000, language()),
  });
}
