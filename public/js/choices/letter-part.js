// @ts-check
// The letter on the page of a choice: fields to fill in, preview, recipient, and ways to send it.

import { connection, Outage, Refusal } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { copyButton } from '../forms/copy.js';
import { selectField, textField } from '../forms/fields.js';
import { segments } from '../fields/segments.js';
import { steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { safeLink } from '../links.js';
import { longField } from './fields.js';
import { letterText, translationOf } from './letter-text.js';
import { ASKED, letterCode, lettersOf, LONG_ANSWERS, mailtoAddress, missingOf } from './letter.js';
import { nextSteps } from './next-steps.js';
import { languageName } from './words.js';

/** @typedef {import('../ledger/ledger.js').Choice} Choice */
/** @typedef {import('./letter.js').Which} Which */
/** @typedef {import('./letter-text.js').LetterText} LetterText */
/**
 * @typedef {object} LetterActs
 * @property {(patch: import('../ledger/store.js').Patch) => Promise<Choice>} save
 * @property {(channel: string) => void} sent called when the user opens a channel; the page then asks whether the
 *   letter was sent
 * @property {(() => Promise<void>) | null} deliver sends through Farol; null if Farol cannot deliver
 */

const SAVE_AFTER = 800; // milliseconds without typing before saving

export class LetterPart {
  /** @param {Choice} choice @param {LetterActs} acts */
  constructor(choice, acts) {
    this.choice = choice;
    this.acts = acts;
    this.details = { ...choice.details };
    /** @type {Which} */
    this.which = lettersOf(choice).at(-1) ?? 'request';
    this.language = choice.language;
    /** @type {LetterText | null} */
    this.text = null;
    /** @type {LetterText | null} the same letter in a language of the person */
    this.translation = null;
    /** @type {string | null} language of the translation; null: the person can read the letter */
    this.translated = null;
    this.element = h('section', {
      class: 'paper letter-part', id: 'letter', 'aria-labelledby': 'letter-title', tabindex: '-1',
    });
    this.paper = paper(translate('letter.preview'));
    this.translationPaper = paper(translate('letter.translation'));
    this.papers = h('div', { class: 'letter-papers' });
    this.unreviewed = h('p', { class: 'aside-note' }, icon('warning'), h('span', {}, translate('letter.unreviewed')));
    this.ways = h('div', { class: 'letter-ways' });
    this.missing = h('p', { class: 'section-note', role: 'status' });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.saving = undefined;
    this.hasComplained = false;
    /** @type {string | undefined} */
    this.drawn = undefined;
    this.draw();
  }

  get letters() {
    return lettersOf(this.choice);
  }

  /**
   * Whether this section still fits: the choice has the same letters.
   * @param {Choice} choice
   */
  update(choice) {
    const before = this.letters.join();
    this.choice = choice;
    if (this.letters.join() === before) return this.load();
    this.which = this.letters.at(-1) ?? 'request';
    return this.draw();
  }

  draw() {
    if (!this.letters.length) {
      fill(this.element, h('h2', { id: 'letter-title' }, translate('letter.title')),
        h('p', {}, translate('letter.no_law')));
      return;
    }
    const code = letterCode(this.choice, this.which);
    const { required, optional } = ASKED[code] ?? ASKED.inform;
    fill(this.element,
      h('h2', { id: 'letter-title' }, translate('letter.title')),
      this.letters.length > 1 && this.chooser(),
      h('p', { class: 'section-note' }, translate(`letter.which.${this.which}.what`)),
      h('div', { class: 'letter-columns' },
        h('div', { class: 'letter-fields form' }, ...required.map((name) => this.field(name, true)),
          optional.length > 0
            && h('details', { class: 'more-fields', open: optional.some((name) => this.details[name]) },
              h('summary', {}, translate('letter.more_fields')),
              h('p', { class: 'section-note' }, translate('letter.no_more_than_needed')),
              ...optional.map((name) => this.field(name, false))),
          this.languageField(), this.replyLink()),
        h('div', { class: 'letter-shown' }, this.unreviewed, this.papers, this.missing)),
      this.ways);
    this.load();
  }

  /** The languages of the letter. They are known when the letter has been loaded. */
  languageField() {
    const choose = selectField({
      name: 'letter-language', label: translate('letter.language'), note: translate('letter.language.what'),
      options: this.languageOptions(), value: this.language,
    });
    choose.control.addEventListener('change', () => this.chooseLanguage(choose.value()));
    this.languageControl = /** @type {HTMLSelectElement} */ (choose.control);
    return choose.element;
  }

  /** @returns {[string, string][]} */
  languageOptions() {
    const codes = new Set([...this.text?.languages ?? [], this.language]);
    return [...codes].map((code) => [code, languageName(code)]);
  }

  /** Option to include a link through which an operator without an account can answer. */
  replyLink() {
    const { reply_link: isOn } = this.choice;
    if (typeof isOn !== 'boolean' || this.which !== 'request') return null;
    const box = /** @type {HTMLInputElement} */ (h('input', {
      type: 'checkbox', id: 'reply-link', checked: isOn, 'aria-describedby': 'reply-link-what',
    }));
    box.addEventListener('change', async () => {
      const isKept = await steadily(this.voice, async () => {
        this.choice = await this.acts.save({ reply_link: box.checked });
      });
      if (isKept) await this.load();
      else box.checked = !box.checked;
    });
    return h('div', { class: 'field' },
      h('label', { class: 'check', for: 'reply-link' }, box, h('span', {}, translate('letter.reply_link'))),
      h('p', { class: 'field-note check-note', id: 'reply-link-what' }, translate('letter.reply_link.what')));
  }

  chooser() {
    return segments({
      legend: translate('letter.which'), legendLook: 'visually-hidden', name: 'which', chosen: this.which,
      options: this.letters.map((value) => ({ value, words: translate(`letter.which.${value}`) })),
      choose: (which) => {
        this.which = which;
        this.draw();
        /** @type {HTMLElement | null} */ (this.element.querySelector('input[name="which"]:checked'))?.focus();
      },
    }).element;
  }

  /** @param {string} name @param {boolean} isRequired */
  field(name, isRequired) {
    const note = name === 'reason' && ['object', 'restrict'].includes(this.choice.letter ?? '')
      ? translate(`letter.reason.${this.choice.letter}`)
      : null;
    const given = { name, label: translate(`letter.field.${name}`), note, value: this.details[name] ?? '', isRequired };
    const field = LONG_ANSWERS.includes(name) ? longField({ ...given, most: 1_000 })
      : textField({ ...given, most: 200, type: 'text', autocomplete: name === 'name' ? 'name' : 'off' });
    field.control.addEventListener('input', () => {
      this.details[name] = field.value();
      this.show();
      clearTimeout(this.saving);
      this.saving = setTimeout(() => this.save(), SAVE_AFTER);
    });
    field.control.addEventListener('change', () => this.save());
    return field.element;
  }

  /** Saves the entered text. After a failure the text remains on the page. */
  async save() {
    clearTimeout(this.saving);
    // A save already waiting for the connection includes text typed meanwhile.
    if (this.hasComplained && connection.reach !== 'fine') return;
    await steadily(this.voice, async () => { this.choice = await this.acts.save({ details: this.details }); });
  }

  /**
   * Shows a failed save in the place that otherwise lists the missing fields.
   * @returns {import('../forms/steadily.js').Voice}
   */
  get voice() {
    return {
      say: (words) => {
        if (words) fill(this.missing, ...words);
        else if (this.hasComplained) this.show();
        this.hasComplained = words !== null;
      },
      isWanted: () => this.element.isConnected,
    };
  }

  /** @param {string} code */
  async chooseLanguage(code) {
    this.language = code;
    this.load();
    await steadily(this.voice, () => this.acts.save({ language: code }));
  }

  /** @returns {Promise<void>} */
  async load() {
    const { which, language } = this;
    if (!this.letters.length) return;
    try {
      const text = await letterText(this.choice, which, language);
      const translated = translationOf(language, text.languages);
      const translation = translated ? await letterText(this.choice, which, translated) : null;
      if (which !== this.which || language !== this.language) return;
      Object.assign(this, { text, translated, translation });
      this.drawPapers();
      this.show();
    } catch (error) {
      if (error instanceof Outage) return connection.recovered().then(() => this.load());
      if (!(error instanceof Refusal)) throw error;
      fill(this.paper, h('p', {}, error.message));
      fill(this.papers, this.paper);
    }
  }

  /** The letter alone, or next to its translation. */
  drawPapers() {
    const { languageControl, translated } = this;
    this.unreviewed.hidden = !this.text?.isUnreviewed;
    if (languageControl) {
      fill(languageControl, ...this.languageOptions().map(([value, label]) => (
        h('option', { value, selected: value === this.language }, label))));
    }
    this.papers.classList.toggle('two', translated !== null);
    this.element.classList.toggle('is-translated', translated !== null);
    if (!translated) return fill(this.papers, this.paper);
    return fill(this.papers,
      h('div', {}, h('h3', {}, translate('letter.in', { language: languageName(this.language) })), this.paper),
      h('div', {}, h('h3', {}, translate('letter.means', { language: languageName(translated) })),
        this.translationPaper, h('p', { class: 'section-note' }, translate('letter.translation.what'))));
  }

  show() {
    if (!this.text) return;
    const code = letterCode(this.choice, this.which);
    const missing = missingOf(code, this.details);
    const mark = (/** @type {string} */ name) => `[${translate(`letter.gap.${name}`)}]`;
    const { subject, body } = this.text.preview(this.details, missing, mark);
    this.paper.lang = this.language;
    fill(this.paper, h('p', { class: 'letter-subject' }, subject),
      h('p', { class: 'letter-body', id: 'letter-body' }, body));
    if (this.translation && this.translated) {
      const meaning = this.translation.preview(this.details, missing, mark);
      this.translationPaper.lang = this.translated;
      fill(this.translationPaper, h('p', { class: 'letter-meaning-subject' }, meaning.subject),
        h('p', { class: 'letter-meaning' }, meaning.body));
    }
    this.missing.textContent = missing.length
      ? translate('letter.missing', { fields: missing.map((name) => translate(`letter.gap.${name}`)).join(', ') })
      : translate('letter.ready');
    // Drawing again during typing would remove the focus from a button here, so it happens only
    // after a change.
    const key = JSON.stringify([missing, this.details, this.which, this.language, this.choice.next, this.text.ending]);
    if (key !== this.drawn) fill(this.ways, ...this.recipient(), this.buttons(this.text, missing.length > 0));
    this.drawn = key;
  }

  recipient() {
    // Notes about the recipient are for the person, so the notes of the translation are used.
    const to = (this.translation ?? this.text)?.to;
    const { farol } = this.choice;
    if (farol && this.which === 'request' && this.acts.deliver) {
      return [
        h('h3', {}, translate('letter.to')),
        h('p', { class: 'letter-address said' },
          h('a', { href: `/operators/${farol.operator.id}` }, farol.operator.name)),
        h('p', { class: 'section-note' }, translate('letter.farol.what', { name: farol.operator.name })),
        to?.email && h('p', { class: 'section-note said' }, translate('letter.farol.or', { address: to.email })),
      ];
    }
    const known = to && (to.email || to.url || to.address.length);
    const parts = [h('h3', {}, translate('letter.to'))];
    if (!to || !known) {
      parts.push(nextSteps(this.choice, this.text?.help ?? { register: null, authority: null }));
      return parts;
    }
    parts.push(h('p', { class: 'letter-address said' },
      ...[to.name, ...to.address, to.email].filter(Boolean).flatMap((line, place) => (place
        ? [h('br'), line ?? '']
        : [line ?? '']))));
    if (to.source) {
      parts.push(h('p', { class: to.source === 'suggestion' ? 'aside-note' : 'section-note' },
        to.source === 'suggestion' && icon('warning'), h('span', {}, translate(`letter.source.${to.source}`))));
    }
    if (to.note) parts.push(h('p', { class: 'section-note' }, to.note));
    return parts;
  }

  /** @param {LetterText} text @param {boolean} isUnfinished */
  buttons(text, isUnfinished) {
    if (isUnfinished) return h('p', { class: 'section-note' }, translate('letter.finish_first'));
    const letter = text.filled(this.details);
    const { to } = text;
    const mail = to?.email ? mailtoAddress(to.email, letter) : null;
    const asks = this.which === 'request' && this.choice.next.includes('sent');
    const sent = (/** @type {string} */ channel) => () => { if (asks) this.acts.sent(channel); };
    const { deliver } = this.acts;
    return h('div', { class: 'form-acts' },
      asks && deliver && this.choice.farol
        && h('button', { type: 'button', class: 'button primary', id: 'by-farol', onclick: () => this.hand(deliver) },
          icon('send'), translate('letter.by_farol')),
      mail
        && h('a', {
          class: asks && deliver && this.choice.farol ? 'button' : 'button primary', href: mail, onclick: sent('email'),
        }, icon('mail'), translate('letter.by_mail')),
      to?.url
        && h('a', {
          class: 'button', href: safeLink(to.url), target: '_blank', rel: 'noopener noreferrer nofollow',
          onclick: sent('url'),
        }, icon('external'), translate('letter.by_form')),
      copyButton(`${letter.subject}\n\n${letter.body}`, translate('letter.copy'), this.paper),
      h('a', {
        class: 'button', href: `/choices/${this.choice.id}/letter?which=${this.which}&in=${this.language}`,
        onclick: () => this.save(),
      }, icon('print'), translate('letter.print')));
  }

  /** @param {() => Promise<void>} deliver */
  async hand(deliver) {
    await this.save();
    await steadily(this.voice, deliver, { again: translate('letter.by_farol') });
  }
}

/**
 * A sheet with a letter. A scrollable element needs the focus, so that the arrow keys can scroll it.
 * @param {string} label
 */
function paper(label) {
  return h('div', { class: 'letter-paper', tabindex: '0', role: 'group', 'aria-label': label });
}
