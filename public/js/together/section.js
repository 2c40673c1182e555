// @ts-check
// The common requests to an operator, on its page.

import { getJSON } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { todayHere } from '../ledger/deadline.js';
import { commonPath } from './common.js';
import { joinPart, ownRequests } from './join.js';
import { askedWords, countdownWords, peopleWords } from './words.js';

/** @typedef {import('./common.js').Common} Common */
/** @typedef {import('./common.js').Own} Own */

/**
 * A section that fills itself. It says how to begin if there is no common request yet.
 * @param {string} key of the operator @param {string} devices address of the map with its devices
 */
export function togetherSection(key, devices) {
  const place = h('div', { class: 'together-list' });
  load(key).then(
    ([requests, own]) => fill(place, ...requests.map((one) => card(one, own)),
      !requests.length && h('p', {}, translate('together.none'), ' ',
        h('a', { href: devices }, translate('together.choose')))),
    () => fill(place, h('p', {}, translate('list.trouble'))));
  return h('section', { class: 'paper', 'aria-labelledby': 'together-title' },
    h('h2', { id: 'together-title' }, translate('together.title')),
    h('p', { class: 'section-note' }, translate('together.what')), place);
}

/** @param {string} key @returns {Promise<[Common[], Own[]]>} */
async function load(key) {
  const query = new URLSearchParams({ operator: key, limit: '100' });
  const [answer, own] = await Promise.all([getJSON(`/api/common-requests?${query}`), ownRequests()]);
  return [answer.requests, own];
}

/** @param {Common} common @param {Own[]} own */
function card(common, own) {
  return h('article', { class: 'together-card' },
    h('h3', {}, h('a', { href: commonPath(common.id) }, askedWords(common),
      common.place && [' – ', h('bdi', {}, common.place.name)])),
    h('p', { class: 'together-people' }, icon('account'), h('span', {}, peopleWords(common))),
    h('p', { class: 'section-note' }, countdownWords(common, todayHere())), joinPart(common, own, ''));
}
