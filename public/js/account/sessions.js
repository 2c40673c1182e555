// @ts-check
// List of the browsers in which the user is signed in.

import { getJSON, Outage, Refusal, send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { language, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { untilAnswered } from '../page/start.js';
import { paper } from './section.js';

/**
 * @typedef {{id: string, created_at: string, last_seen_on: string, agent: string | null, current: boolean}} OpenSession
 */

/** @returns {import('./section.js').Section} */
export function sessions() {
  const title = translate('account.sessions');
  const list = h('ul', { class: 'things', 'aria-busy': 'true' });
  const acts = h('div', { class: 'form-acts' });
  const heading = h('p', {}, translate('account.sessions.why'));

  const load = async (/** @type {(path: string) => Promise<{sessions: OpenSession[]}>} */ ask) => {
    const { sessions: found } = await ask('/api/account/sessions');
    draw(found);
  };

  /** @param {OpenSession[]} found */
  function draw(found) {
    list.removeAttribute('aria-busy');
    fill(list, ...found.map(item));
    fill(acts,
      found.length > 1
        && h('button', {
          type: 'button', class: 'button', onclick: () => end('/api/account/sessions', 'account.sessions.all_ended'),
        }, icon('sign-out'), translate('account.sessions.end_all')));
  }

  /** @param {OpenSession} one */
  function item(one) {
    const name = one.agent ?? translate('account.sessions.some');
    return h('li', {},
      h('div', {},
        h('p', { class: 'strong' }, name,
          one.current && h('span', { class: 'chip is-on' }, translate('account.sessions.this'))),
        h('p', { class: 'field-note' },
          translate('account.sessions.since', {
            day: formatDay(one.created_at, language()) ?? '', last: formatDay(one.last_seen_on, language()) ?? '',
          }))),
      !one.current && h('button', {
        type: 'button', class: 'button', 'aria-label': `${translate('account.sessions.end')}: ${name}`,
        onclick: () => end(`/api/account/sessions/${encodeURIComponent(one.id)}`, 'account.sessions.ended'),
      }, translate('account.sessions.end')));
  }

  /** @param {string} path @param {string} said */
  async function end(path, said) {
    if (!await deleted(path, paperOf)) return undefined;
    toast(translate(said));
    await load(getJSON).catch(trouble);
    return paperOf.focus();
  }

  const paperOf = paper('sessions', title, heading, list, acts);
  load(untilAnswered).catch(trouble);
  return { id: 'sessions', title, element: paperOf, update: () => {} };
}

/**
 * Deletes a resource of the user. Retries during an outage. A 404 counts as deleted.
 * @param {string} path
 * @param {HTMLElement} place the section of the page that lists the resource
 * @returns {Promise<boolean>} whether the resource is deleted
 */
export async function deleted(path, place) {
  let isGone = false;
  const isDone = await steadily(saidOver(place), () => send('DELETE', path), {
    refused: ({ status }) => {
      isGone = status === 404;
      return isGone;
    },
  });
  return isDone || isGone;
}

/** @param {unknown} error */
export function trouble(error) {
  if (error instanceof Outage) toast(error.message || translate('outage'));
  else if (error instanceof Refusal) toast(error.message);
  else throw error;
}
