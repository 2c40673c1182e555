// @ts-check
// The page of all mapping days: running, coming, past and own days, and the plan of a new one.

import { getJSON } from '../api.js';
import { opener } from '../account/section.js';
import { byId, fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { settings as askSettings } from '../page/start.js';
import { signInAddress, trouble } from '../page/trouble.js';
import { whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { DAYS } from './days.js';
import { planForm } from './plan-form.js';
import { peopleWords, stateChip, whenWords } from './words.js';

/** @typedef {import('./days.js').MappingDay} MappingDay */

const LISTS = /** @type {const} */ (['running', 'coming', 'over']);

/** The states that the heading of a list says already. */
const SAID = { running: 'running', coming: 'approved', over: 'over' };

/** @param {MappingDay} day @param {string | null} said the state that the heading of the list says */
function item(day, said) {
  return h('li', { class: 'fact-section', 'data-id': day.id },
    h('h3', {}, h('a', { href: `/mapping-days/${day.id}` }, h('bdi', {}, day.title))),
    h('p', {}, day.state !== said && [stateChip(day), ' '], whenWords(day)),
    ['approved', 'running'].includes(day.state) && h('p', { class: 'field-note' }, peopleWords(day)));
}

/** @param {typeof LISTS[number]} name */
function list(name) {
  const items = h('ul', { class: 'day-list' });
  const status = h('p', { class: 'field-note', role: 'status' });
  const foot = h('div', {});
  const load = async (/** @type {string | null} */ cursor) => {
    try {
      const query = new URLSearchParams({ list: name, ...(cursor ? { cursor } : {}) });
      const { days, next } = await getJSON(`${DAYS}?${query}`);
      items.append(...days.map((/** @type {MappingDay} */ day) => item(day, SAID[name])));
      status.textContent = items.childElementCount ? '' : translate(`mapping_days.${name}.none`);
      fill(foot, next && h('button', { type: 'button', class: 'button', onclick: () => load(next) },
        translate('list.more')));
    } catch (error) {
      status.textContent = trouble(error);
    }
  };
  load(null);
  return h('section', { class: 'stack', 'aria-labelledby': `days-${name}` },
    h('h2', { id: `days-${name}` }, translate(`mapping_days.${name}`)), status, items, foot);
}

/** @param {MappingDay[]} days */
function endedLast(days) {
  const isEnded = (/** @type {MappingDay} */ { state }) => state === 'over' || state === 'cancelled';
  return [...days.filter((day) => !isEnded(day)), ...days.filter(isEnded)];
}

/** @param {HTMLElement} place */
async function own(place) {
  try {
    const { planned, joined } = await getJSON(`${DAYS}/own`);
    const part = (/** @type {string} */ name, /** @type {MappingDay[]} */ days) => days.length > 0
      && h('section', { class: 'stack', 'aria-labelledby': `days-${name}` },
        h('h2', { id: `days-${name}` }, translate(`mapping_days.${name}`)),
        h('ul', { class: 'day-list' }, ...endedLast(days).map((day) => item(day, null))));
    fill(place, part('planned', planned), part('joined', joined));
  } catch (error) {
    fill(place, h('p', { role: 'alert' }, trouble(error)));
  }
}

async function start() {
  await startShell();
  await scheme('categories').catch(() => null);
  document.title = `${translate('mapping_days.title')} · ${instanceName()}`;
  const account = (await whenSession())?.account;
  const settings = await askSettings();
  const mine = h('div', { class: 'stack' });
  const planning = opener({ words: translate('mapping_day.plan'), symbol: icon('plus') }, (close) => planForm(
    null, settings, {
      cancel: close, done: async ({ id }) => location.assign(`/mapping-days/${id}`),
    }));
  const plan = account?.confirmed && !account.suspended
    ? [h('div', {}, planning.button), planning.place]
    : [h('div', {}, h('a', { class: 'button', href: account ? '/account' : signInAddress('/mapping-days') },
      icon('account'), translate(account ? 'mapping_day.plan.confirm' : 'mapping_day.plan.sign_in')))];
  fill(byId('content'), h('div', { class: 'days' },
    h('header', {}, h('h1', { tabindex: '-1' }, translate('mapping_days.title')),
      h('p', {}, translate('mapping_days.lead'))),
    ...plan, mine, ...LISTS.map(list),
    h('p', {}, h('a', { class: 'day-link', href: '/api/feeds/mapping-days.atom' }, icon('feed'),
      translate('mapping_days.feed')))));
  if (account) own(mine);
}

start();
