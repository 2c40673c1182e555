// @ts-check
// The public profile of an account: its contributions, and the number of upheld flags.

import { getJSON, Outage, Refusal, connection } from '../api.js';
import { lateName, withName } from '../devices/late-name.js';
import { marker } from '../devices/terms.js';
import { byId, fill, h, icon } from '../dom.js';
import { flagButton } from '../flags/dialog.js';
import { formatDay, formatNumber } from '../format.js';
import { language, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { askPart, person as personAsked } from '../requests/ask.js';
import { onSession, session } from '../session.js';
import { startShell } from '../shell/shell.js';
import { categoryIcon, label, scheme } from '../taxonomies.js';

/**
 * @typedef {object} Contribution
 * @property {{id: string, name: string, category: string}} device
 * @property {number} revision
 * @property {string} kind
 * @property {string} made_at
 */
 /**
 * @typedef {object} Person
 * @property {string} username
 * @property {string} role
 * @property {string} joined_on
 * @property {{devices: number, edits: number, photos: number}} contributions
 * @property {{upheld: number}} flags
 * @property {Contribution[]} recent
 */

async function start() {
  await startShell();
  const username = decodeURIComponent(location.pathname.split('/')[2] ?? '');
  await show(username);
}

/** @param {string} username */
async function show(username) {
  try {
    const [person] = await Promise.all([
      getJSON(`/api/people/${encodeURIComponent(username)}`), scheme('categories').catch(() => null),
    ]);
    draw(person);
    onSession(() => draw(person));
  } catch (error) {
    if (error instanceof Outage) await connection.recovered().then(() => show(username));
    else if (error instanceof Refusal) drawRefusal(error);
    else throw error;
  }
}

/** @param {Person} person */
function draw(person) {
  document.title = `${person.username} · ${instanceName()}`;
  const isOwn = session()?.account.username === person.username;
  fill(byId('content'), h('div', { class: 'person' },
    h('header', { class: 'person-head' },
      h('span', { class: 'sheet-mark', 'aria-hidden': 'true' }, icon('account')),
      h('div', {},
        h('h1', { tabindex: '-1' }, h('bdi', {}, person.username)),
        h('p', { class: 'field-note' },
          person.role !== 'contributor' && h('span', { class: 'chip is-on' }, translate(`role.${person.role}`)), ' ',
          translate('person.joined', { day: formatDay(person.joined_on, language()) ?? '' }))),
      isOwn ? h('a', { class: 'button', href: '/account' }, icon('settings'), translate('menu.my_account'))
        : flagButton({ type: 'account', id: person.username }, translate('person.flag'))),
    counts('person.contributions',
      /** @type {const} */ (['devices', 'edits', 'photos'])
        .map((kind) => [`person.count.${kind}`, person.contributions[kind]]), translate('person.counts.daily')),
    counts('person.flags', [['person.flags.upheld', person.flags.upheld]], translate('person.flags.why')),
    recent(person),
    !isOwn && askPart(personAsked(person.username))));
}

/** @param {string} title @param {[key: string, count: number][]} list @param {string} [note] */
function counts(title, list, note) {
  const id = title.replace('.', '-');
  return h('section', { class: 'paper', 'aria-labelledby': id }, h('h2', { id }, translate(title)),
    h('dl', { class: 'tally' },
      ...list.map(([key, count]) => h('div', {}, h('dt', {}, translate(key)),
        h('dd', {}, formatNumber(count, language()))))),
    note ? h('p', { class: 'field-note' }, note) : null);
}

/** @param {Person} person */
function recent({ recent: list }) {
  return h('section', { class: 'paper', 'aria-labelledby': 'person-recent' },
    h('h2', { id: 'person-recent' }, translate('person.recent')),
    list.length ? h('ul', { class: 'things' }, ...list.map(({ device, kind, made_at: at, revision }) => h('li', {},
      h('div', { class: 'recent' }, marker(categoryIcon(device.category), 'reported'),
        h('div', {},
          h('p', { class: 'said' },
            h('a', { href: `/devices/${encodeURIComponent(device.id)}` }, lateName(device))),
          h('p', { class: 'field-note' }, label('categories', device.category), ' · ', label('history.kind', kind),
            ' · ', formatDay(at, language())))),
      changeLink(device, revision))))
      : h('p', { class: 'field-note' }, translate('person.nothing')));
}

/** @param {Person['recent'][number]['device']} device @param {number} revision */
function changeLink(device, revision) {
  const words = translate('person.see_change');
  const link = h('a', {
    class: 'button', href: `/devices/${encodeURIComponent(device.id)}/history#revision-${revision}`,
  }, words);
  withName(device, (name) => link.setAttribute('aria-label', `${words}: ${name}`));
  return link;
}

/** @param {Refusal} refusal */
function drawRefusal({ status, message }) {
  const isNobody = status === 404 || status === 400;
  const title = translate(isNobody ? 'person.nobody' : 'list.trouble');
  document.title = `${title} · ${instanceName()}`;
  fill(byId('content'), h('div', { class: 'refusal' },
    h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon('question')), h('h1', {}, title),
    h('p', {}, isNobody ? translate('person.nobody.why') : message),
    h('a', { class: 'button primary', href: '/' }, icon('map'), translate('account.to_map'))));
}

start();
