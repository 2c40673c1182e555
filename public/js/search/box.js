// @ts-check
// The search field for places, addresses, devices, categories and coordinates: a combobox with suggestions.

import { connection } from '../api.js';
import { fill, h, icon, iconButton } from '../dom.js';
import { plural, translate } from '../i18n.js';
import { creditWords } from '../map/credit-words.js';
import { announce, toast } from '../page/notices.js';
import { placeLabel } from '../places/place.js';
import { Answers } from './answers.js';
import { groupTitle, suggestionRow, titleOf } from './rows.js';

/** @typedef {import('./suggestions.js').Suggestion} Suggestion */

const PAUSE = 180; // milliseconds after the last key

export class SearchBox {
  /**
   * @param {HTMLElement} element
   * @param {object} context
   * @param {(suggestion: Suggestion) => void} context.choose
   * @param {() => void} [context.release] called when the user clears the place that the field holds
   * @param {() => import('../types').Position | null} [context.middle] the middle of the map, for the nearest of
   *   several places; null if the map shows half the world
   */
  constructor(element, { choose, release, middle }) {
    this.choose = choose;
    this.release = release;
    this.answers = new Answers(middle ?? (() => null));
    /** @type {string | null} the name of the chosen place, which stays in the field */
    this.held = null;
    /** @type {Suggestion[]} */
    this.found = [];
    this.active = -1;
    this.credit = '';
    this.waiting = false;
    // Whether the places are missing in the suggestions.
    this.broken = false;
    /** @type {string | null} the text to which the suggestions are the whole answer */
    this.answered = null;
    // Whether the user pressed Enter before the answer was there.
    this.entered = false;
    // Whether a pointer is down on the list: rows that move away under it would swallow the click.
    this.pressed = false;
    /** @type {Suggestion[] | null} what to show when it is up again */
    this.late = null;
    // Incremented by each request and each hiding, so that a late response can be recognised and ignored.
    this.turn = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.input = /** @type {HTMLInputElement} */ (h('input', {
      type: 'text', id: 'search', class: 'search-input', role: 'combobox', autocomplete: 'off', spellcheck: 'false',
      enterkeyhint: 'search', maxlength: '200', 'aria-expanded': 'false', 'aria-controls': 'suggestions',
      'aria-autocomplete': 'list',
      'aria-label': translate('search.label'), placeholder: translate('search.placeholder'),
    }));
    this.list = h('div',
      {
        class: 'suggestions', id: 'suggestions', role: 'listbox', tabindex: '-1',
        'aria-label': translate('search.suggestions'),
      });
    this.list.hidden = true;
    this.clearButton = iconButton('close', translate('search.clear'),
      { class: 'search-clear', onclick: () => this.clear() });
    this.clearButton.hidden = true;
    element.append(icon('search'), this.input, this.clearButton, this.list);
    this.listen(element);
  }

  /** @param {HTMLElement} element */
  listen(element) {
    this.input.addEventListener('input', () => {
      this.clearButton.hidden = !this.input.value;
      if (!this.input.value) this.letGo();
      this.entered = false;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.look(), PAUSE);
    });
    this.input.addEventListener('focus', () => {
      if (this.held !== null) this.input.select();
      this.look();
    });
    this.input.addEventListener('click', () => { if (this.list.hidden) this.look(); });
    this.input.addEventListener('keydown', (event) => this.press(event));
    element.addEventListener('focusout', (event) => {
      if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) this.hide();
    });
    // Keeps the focus in the field while the user taps a suggestion.
    this.list.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.pressed = true;
    });
    // The click comes after both.
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => setTimeout(() => this.lift()));
    connection.onRecovery(() => { if (document.activeElement === this.input) this.look(); });
  }

  /** The typed text: empty while the field holds a chosen place. */
  get typed() {
    return this.input.value === this.held ? '' : this.input.value;
  }

  /** Shows what arrived while a pointer was down on the list. */
  lift() {
    const { late } = this;
    this.pressed = false;
    this.late = null;
    if (late && !this.list.hidden) this.show(late);
  }

  /** Requests suggestions for the text. Local suggestions appear at once. */
  async look() {
    clearTimeout(this.timer);
    const { typed } = this;
    const turn = ++this.turn;
    this.waiting = false;
    this.broken = false;
    this.answered = null;
    const begun = await this.answers.begin(typed);
    if (turn !== this.turn) return;
    if (!typed.trim()) {
      this.show(begun.found);
      return;
    }
    if (begun.isWhole) {
      this.settle(typed, begun.found);
      return;
    }
    this.waiting = true;
    this.show(begun.found);
    let answer;
    try {
      answer = await this.answers.finish(begun);
    } catch {
      return; // Another text has been typed since.
    }
    if (turn !== this.turn || typed !== this.typed) return;
    this.waiting = false;
    this.credit = answer.credit;
    this.settle(typed, answer.found, answer.isBroken);
  }

  /**
   * Shows the whole answer to a text, and takes its first suggestion if the user has pressed Enter meanwhile.
   * @param {string} typed @param {Suggestion[]} found @param {boolean} [isBroken] whether the places are missing
   */
  settle(typed, found, isBroken = false) {
    const isEntered = this.entered;
    this.entered = false;
    this.answered = typed;
    this.broken = isBroken;
    this.show(found);
    // Without the places, the first suggestion may be another one than the user means.
    if (isEntered && !isBroken) this.take(0);
    else if (!this.list.hidden) {
      announce(isBroken ? translate('search.broken') : plural('search.count', found.length));
    }
  }

  /** @param {Suggestion[]} found */
  show(found) {
    if (document.activeElement !== this.input) return;
    if (this.pressed) {
      this.late = found;
      return;
    }
    this.found = found;
    this.active = -1;
    /** @type {HTMLElement[]} */
    const parts = [];
    let title = '';
    found.forEach((suggestion, index) => {
      if (titleOf(suggestion) !== title) parts.push(groupTitle(titleOf(suggestion)));
      title = titleOf(suggestion);
      parts.push(suggestionRow(suggestion, index, () => this.take(index)));
      if (suggestion.kind === 'address' && found[index + 1]?.kind !== 'address' && this.credit) {
        parts.push(h('p', { class: 'suggestions-credit', 'aria-hidden': 'true' }, creditWords(this.credit)));
      }
    });
    const note = this.waiting ? 'search.looking' : this.broken ? 'search.broken' : null;
    if (note) parts.push(h('p', { class: 'suggestions-wait', 'aria-hidden': 'true' }, translate(note)));
    fill(this.list, ...parts);
    this.list.hidden = !parts.length;
    this.input.setAttribute('aria-expanded', String(!this.list.hidden));
    this.input.removeAttribute('aria-activedescendant');
  }

  hide() {
    clearTimeout(this.timer);
    this.turn += 1;
    this.entered = false;
    this.late = null;
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  clear() {
    this.letGo();
    this.hold(null);
    this.input.focus();
    this.look();
  }

  /** Releases the chosen place, if the field holds one. */
  letGo() {
    if (this.held === null) return;
    this.held = null;
    this.release?.();
  }

  /**
   * Shows the chosen place in the field until the user clears it; null empties the field.
   * @param {import('../types').Place | null} place
   */
  hold(place) {
    this.held = place && placeLabel(place);
    this.input.value = this.held ?? '';
    this.clearButton.hidden = !place;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { length } = this.found;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (this.list.hidden) this.look();
      else if (length) {
        this.move(
          (this.active + (event.key === 'ArrowDown' ? 1 : -1) + length
            + (this.active < 0 && event.key === 'ArrowUp' ? 1 : 0)) % length,
        );
      }
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.enter();
    } else if (event.key === 'Escape') {
      if (this.list.hidden) this.clear();
      this.hide();
    }
  }

  /** Takes the chosen suggestion, otherwise the first one as soon as the answer to the text is there. */
  enter() {
    if (this.active >= 0 && !this.list.hidden) this.take(this.active);
    else if (!this.typed.trim()) return; // Nothing was chosen.
    else if (this.answered === this.typed) this.take(0);
    else {
      this.entered = true;
      if (!this.waiting) this.look();
    }
  }

  /** @param {number} index */
  move(index) {
    this.active = index;
    for (const row of this.list.querySelectorAll('[role=option]')) {
      const chosen = row.id === `suggestion-${index}`;
      row.setAttribute('aria-selected', String(chosen));
      if (chosen) row.scrollIntoView({ block: 'nearest' });
    }
    this.input.setAttribute('aria-activedescendant', `suggestion-${index}`);
  }

  /** @param {number} index */
  take(index) {
    const suggestion = this.found[index];
    if (!suggestion) return;
    this.hide();
    this.input.value = this.held ?? '';
    this.clearButton.hidden = this.held === null;
    this.input.blur();
    // A user who pressed Enter at once has not read it in the list.
    if ('isInstead' in suggestion && suggestion.isInstead) toast(`${translate('search.instead')}.`);
    this.choose(suggestion);
  }
}
