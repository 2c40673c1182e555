// @ts-check
// Sends what a form says, and waits out an outage: the form says so, keeps what was typed, and recovers by itself.
// Every form that is not a `Form` (form.js) sends through here.

import { connection, Outage, Refusal } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { troubleNodes } from '../page/trouble.js';

/** @typedef {import('../api.js').Refusal} Refused */
/**
 * Where a form says what is wrong.
 * @typedef {object} Voice
 * @property {(words: (Node | string)[] | null) => void} say null: nothing is wrong any more
 * @property {() => boolean} isWanted whether the form is still there; what it would send is not sent otherwise
 */
/**
 * @typedef {object} SteadyOptions
 * @property {string} [again] words of the button to press again after an outage. Give it where a request that arrives
 *   twice does more than one that arrives once: the answer to the first may be what was lost. Without it the request
 *   is sent again by itself.
 * @property {(refusal: Refused) => boolean | Promise<boolean>} [refused] true for a refusal that it dealt with
 */

/**
 * Does something that needs the server.
 *
 * @param {Voice} voice
 * @param {() => Promise<unknown>} act called again after an outage, so it reads the fields when it is called
 * @param {SteadyOptions} options
 * @returns {Promise<boolean>} whether it was done; otherwise the voice has said why not
 * @throws what is neither a refusal nor an outage
 */
export async function steadily(voice, act, { again, refused } = {}) {
  for (;;) {
    try {
      voice.say(null);
      await act();
      return true;
    } catch (error) {
      if (!(error instanceof Outage) || connection.reach === 'fine') {
        const isSaid = error instanceof Refusal && refused !== undefined && await refused(error);
        if (!isSaid) voice.say(troubleNodes(error));
        return false;
      }
    }
    voice.say([translate('outage'), ' ', translate(again === undefined ? 'form.waiting' : 'form.kept')]);
    await connection.recovered();
    if (!voice.isWanted()) return false;
    if (again !== undefined) {
      voice.say([translate('form.back', { button: again })]);
      return false;
    }
  }
}

/**
 * A place in a form; a complaint is hidden while there is nothing to complain of.
 * @param {HTMLElement} place
 * @returns {Voice}
 */
export function saidIn(place) {
  const isComplaint = place.classList.contains('complaint');
  return {
    say(words) {
      if (isComplaint) place.hidden = words === null;
      fill(place, words && isComplaint && icon('warning'), words && h('span', {}, ...words));
    },
    isWanted: () => place.isConnected,
  };
}

/**
 * Short messages over the page, for what is done by a button alone.
 * @param {HTMLElement} button
 * @returns {Voice}
 */
export function saidOver(button) {
  return {
    say(words) { if (words) toast(h('span', {}, ...words).textContent ?? ''); },
    isWanted: () => button.isConnected,
  };
}

/**
 * Keeps a button from being pressed twice. It is not disabled, because that would take the focus away.
 * @template T
 * @param {Iterable<Element>} buttons @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function whileBusy(buttons, act) {
  for (const button of buttons) button.setAttribute('aria-disabled', 'true');
  try {
    return await act();
  } finally {
    for (const button of buttons) button.removeAttribute('aria-disabled');
  }
}

/** @param {Element} button */
export function isBusy(button) {
  return button.getAttribute('aria-disabled') === 'true';
}
