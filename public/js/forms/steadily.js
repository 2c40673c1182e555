// @ts-check
// Sends a request of a form and waits during an outage: the form shows a message, keeps the entered
// text, and continues when the connection is back. Every form that is not a `Form` (form.js) uses
// this module.

import { connection, Outage, Refusal } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { troubleNodes } from '../page/trouble.js';

/** @typedef {import('../api.js').Refusal} Refused */
/**
 * Place for the messages of a form.
 * @typedef {object} Voice
 * @property {(words: (Node | string)[] | null) => void} say null: no error any more
 * @property {() => boolean} isWanted whether the form is still on the page; otherwise it sends nothing
 */
/**
 * @typedef {object} SteadyOptions
 * @property {string} [again] label of the button to press again after an outage. Set it for a request that is not safe
 *   to repeat, because the response to the first request may have been lost. Without it the request is sent again
 *   automatically.
 * @property {(refusal: Refused) => boolean | Promise<boolean>} [refused] returns true for a refusal that it has handled
 */

/**
 * Runs an operation that needs the server.
 * @param {Voice} voice
 * @param {() => Promise<unknown>} act called again after an outage, so it reads the fields on each call
 * @param {SteadyOptions} options
 * @returns {Promise<boolean>} whether it succeeded; otherwise `voice` has shown the error
 * @throws any error except a refusal or an outage
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
 * Messages in an element of the form. The element of an error is hidden while there is no error.
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
 * Messages as notices over the page, for an action with only a button.
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
 * Ignores further presses during an operation. The button is not disabled, because that would
 * remove the focus.
 * @template T
 * @param {Iterable<Element>} buttons
 * @param {() => Promise<T>} act
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
