// @ts-check
// Moves a watch of this browser into the account of the user: an explicit action that says what the server learns.

import { Outage, Refusal, send } from '../api.js';
import { ask } from '../dialog.js';
import { h } from '../dom.js';
import { translate } from '../i18n.js';
import { forAccount } from '../local-watches/watch.js';
import { areaWords, filterWords } from '../local-watches/words.js';
import { toast } from '../page/notices.js';
import { whenSession } from '../session.js';
import { WATCHES } from '../watches/watches.js';

/** @typedef {import('../local-watches/watch.js').Watch} Watch */

const DIGEST = Object.freeze({ mail: 'daily', hour: 8 });

/**
 * Asks, and sends the watch to the server.
 * @param {Watch} watch
 * @returns {Promise<boolean>} whether it is in the account now
 */
export async function moveToAccount(watch) {
  if (!await whenSession()) {
    await offerSignIn(watch);
    return false;
  }
  const answer = await ask({
    title: translate('local_watch.move.of', { label: watch.label }),
    words: translate('local_watch.move.words'), more: lessons(watch),
    answers: [
      { value: 'move', label: translate('local_watch.move.yes'), look: 'primary' },
      { value: 'keep', label: translate('local_watch.move.no') },
    ],
  });
  if (answer !== 'move') return false;
  try {
    await send('POST', WATCHES, {
      json: {
        ...forAccount(watch), events: ['added', 'removed', 'changed', 'disputed'], ...DIGEST,
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC', paused: watch.isPaused,
      },
    });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Outage)) throw error;
    toast(reason(error));
    return false;
  }
}

/**
 * The data that the server learns from the watch.
 * @param {Watch} watch
 */
function lessons({ label, area, filters }) {
  return h('div', {},
    h('p', {}, translate('local_watch.move.learns')),
    h('ul', {},
      h('li', {}, translate('local_watch.move.label', { label })),
      h('li', {}, translate('local_watch.move.area', { area: areaWords(area) })),
      h('li', {}, translate('local_watch.move.filters', { filters: filterWords(filters) })),
      h('li', {}, translate('local_watch.move.person'))),
    h('p', {}, translate('local_watch.move.then')));
}

/** @param {Watch} watch */
async function offerSignIn({ label }) {
  const answer = await ask({
    title: translate('local_watch.move.of', { label }), words: translate('local_watch.move.sign_in'),
    answers: [
      { value: 'sign-in', label: translate('menu.sign_in'), look: 'primary' },
      { value: 'keep', label: translate('local_watch.move.no') },
    ],
  });
  if (answer === 'sign-in') location.assign(`/sign-in?then=${encodeURIComponent('/local-watches')}`);
}

/** @param {Refusal | Outage} error */
function reason(error) {
  const [first] = error instanceof Refusal ? error.problem.errors ?? [] : [];
  return first?.detail ?? (error.message || translate('outage'));
}
