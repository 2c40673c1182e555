// @ts-check
// The ledger page: pending and due choices, results, export and import.

import { connection, Outage, Refusal } from '../api.js';
import { lateName, nameOf } from '../devices/late-name.js';
import { marker } from '../devices/terms.js';
import { ask } from '../dialog.js';
import { byId, fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { download } from '../forms/copy.js';
import { saidIn, saidOver, steadily } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { timeText, todayHere } from '../ledger/deadline.js';
import { dueDay, exportLedger, grouped, importLedger, RUNNING } from '../ledger/ledger.js';
import { browserLedger, ledger, moveIntoAccount } from '../ledger/store.js';
import { instanceName } from '../page/brand.js';
import { sayLater } from '../page/later.js';
import { toast } from '../page/notices.js';
import { signInAddress } from '../page/trouble.js';
import { onSession, session } from '../session.js';
import { startShell } from '../shell/shell.js';
import { categoryIcon, scheme } from '../taxonomies.js';
import { calendar } from './calendar.js';
import { rightsSection } from './rights.js';
import { choiceTitle, dayWords, dueWords, placeWords, stateBadge } from './words.js';

/** @typedef {import('../ledger/ledger.js').Choice} Choice */
/** @typedef {import('../ledger/store.js').Ledger} Ledger */

const GROUPS = /** @type {const} */ (['due', 'wanted', 'running', 'refused', 'won', 'ended']);
const LARGEST = 5_000_000; // maximum size of an imported file in octets

/**
 * The ids of the choices in this browser. They have the displayed names already, and the server does not learn which
 * devices they are about.
 * @type {Set<string>}
 */
const keptHere = new Set();
/** @type {HTMLElement | null} drawn once, because it loads a law */
let rights = null;

async function start() {
  await startShell();
  rights = rightsSection();
  document.title = `${translate('ledger.title')} · ${instanceName()}`;
  await show();
  if (location.hash === '#rights') rights.scrollIntoView();
  sayLater();
  onSession(() => show());
  addEventListener('pageshow', (event) => { if (event.persisted) show(); });
}

/**
 * Loads all choices and draws the page.
 * @returns {Promise<void>}
 */
async function show() {
  try {
    const [own, browser] = await Promise.all([
      ledger(), browserLedger(), scheme('categories').catch(() => null), scheme('choices').catch(() => null),
    ]);
    const left = own.place === 'account' ? await browser.all() : [];
    draw(own, await own.all(), left);
  } catch (error) {
    if (error instanceof Outage) return connection.recovered().then(show);
    if (!(error instanceof Refusal)) throw error;
    fill(byId('content'),
      h('div', { class: 'refusal' }, h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon('warning')),
        h('h1', { tabindex: '-1' }, translate('list.trouble')), h('p', {}, error.message)));
  }
  return undefined;
}

/**
 * @param {Ledger} own
 * @param {Choice[]} choices
 * @param {Choice[]} left choices still in this browser while the user is signed in
 */
function draw(own, choices, left) {
  const today = todayHere();
  const all = [...choices, ...left];
  const groups = grouped(all, today);
  keptHere.clear();
  for (const { id } of own.place === 'browser' ? all : left) keptHere.add(id);
  fill(byId('content'), h('div', { class: 'ledger' },
    h('header', { class: 'ledger-head' },
      h('h1', { tabindex: '-1' }, translate('ledger.title')),
      h('p', { class: 'lead' }, translate('ledger.lead'))),
    left.length > 0 && mover(left.length),
    // An empty ledger says less than the rights with which it begins.
    all.length === 0 ? [rights, empty()] : [
      tally(all, groups, today),
      ...GROUPS.filter((name) => groups[name].length).map((name) => group(name, groups[name], today)),
      rights,
    ],
    takeAlong(own, all)));
}

function empty() {
  return h('section', { class: 'ledger-empty' },
    h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon('draft')),
    h('h2', {}, translate('ledger.empty')),
    h('ol', { class: 'ledger-how' },
      ...['find', 'want', 'send', 'wait'].map((part) => h('li', {}, translate(`ledger.how.${part}`)))),
    h('div', { class: 'form-acts' },
      h('a', { class: 'button primary', href: '/' }, icon('map'), translate('account.to_map')),
      h('a', { class: 'button', href: '/learn' }, icon('learn'), translate('menu.learn'))));
}

/** @param {Choice[]} all @param {Record<string, Choice[]>} groups @param {string} today */
function tally(all, groups, today) {
  const running = all.filter(({ state }) => RUNNING.includes(state));
  const late = running.filter((choice) => (dueDay(choice) ?? today) < today);
  const counts = /** @type {const} */ ([
    ['running', running.length], ['late', late.length], ['won', groups.won.length], ['refused', groups.refused.length],
  ]);
  return h('dl', { class: 'ledger-tally' }, ...counts.map(([name, count]) => h('div', { class: `tally-${name}` },
    h('dt', {}, translate(`ledger.tally.${name}`)), h('dd', {}, formatNumber(count, language())))));
}

/** @param {string} name @param {Choice[]} choices @param {string} today */
function group(name, choices, today) {
  return h('section', { class: `paper ledger-group group-${name}`, 'aria-labelledby': `group-${name}` },
    h('h2', { id: `group-${name}` }, translate(`ledger.group.${name}`)),
    h('ul', { class: 'ledger-list' }, ...choices.map((choice) => row(choice, today))));
}

/** @param {Choice} choice @param {string} today */
function row(choice, today) {
  return h('li', { class: 'ledger-row' },
    marker(categoryIcon(choice.device.category), choice.device.status),
    h('div', { class: 'ledger-words' },
      h('p', {}, h('a', { class: 'ledger-link', href: `/choices/${choice.id}` }, choiceTitle(choice))),
      h('p', { class: 'said ledger-device' },
        keptHere.has(choice.id) ? h('bdi', {}, choice.device.name) : lateName(choice.device)),
      h('p', { class: 'section-note' },
        dueWords(choice, today) ?? translate('ledger.changed', { day: dayWords(choice.updated_at) }))),
    stateBadge(choice, today));
}

/**
 * Offers to move the choices of this browser into the account. Moves nothing without consent.
 * @param {number} count
 */
function mover(count) {
  const button = h('button', { type: 'button', class: 'button primary', onclick: async () => {
    const answer = await ask({
      title: plural('ledger.move.title', count), words: translate('ledger.move.words'),
      answers: [
        { value: 'move', label: translate('ledger.move.yes'), look: 'primary' },
        { value: 'stay', label: translate('ledger.move.no') },
      ],
    });
    if (answer !== 'move') return;
    let stayed = 0;
    // Moved choices are deleted from the browser at once, so that an interrupted move can continue.
    if (!await steadily(saidOver(button), async () => { stayed = await moveIntoAccount(); })) return;
    toast(stayed ? plural('ledger.stayed', stayed) : translate('ledger.moved'));
    await show();
    document.querySelector('h1')?.focus();
  } }, icon('move'), translate('ledger.move.yes'));
  return h('section', { class: 'missing-notice ledger-mover' },
    h('div', { class: 'stack' }, h('h2', {}, plural('ledger.move.here', count)),
      h('p', {}, translate('ledger.move.words')), button));
}

/** @param {Ledger} own @param {Choice[]} all */
function takeAlong(own, all) {
  const now = () => timeText(new Date());
  const file = /** @type {HTMLInputElement} */ (h('input', {
    type: 'file', accept: 'application/json,.json', class: 'visually-hidden', id: 'ledger-file', tabindex: '-1',
    'aria-hidden': 'true',
  }));
  const said = h('p', { class: 'field-note', role: 'status' });
  file.addEventListener('change', () => read(file, own, said));
  const entries = all.filter((choice) => RUNNING.includes(choice.state) && dueDay(choice));
  return h('section', { class: 'paper', 'aria-labelledby': 'ledger-keep' },
    h('h2', { id: 'ledger-keep' }, translate('ledger.keep')),
    h('p', {}, placeWords(own), ' ', own.place === 'browser' && !session()
      && h('a', { href: signInAddress('/choices') }, translate('ledger.sign_in'))),
    h('div', { class: 'form-acts' },
      entries.length > 0 && h('button', { type: 'button', class: 'button', onclick: () => {
        calendarWords(entries).then((words) => {
          download(new Blob([calendar(entries, words, now())], { type: 'text/calendar;charset=utf-8' }), 'farol.ics');
        });
      } }, icon('clock'), translate('ledger.calendar')),
      all.length > 0 && h('button', { type: 'button', class: 'button', onclick: () => {
        download(new Blob([exportLedger(all, now())], { type: 'application/json' }),
          `farol-ledger-${todayHere()}.json`);
      } }, icon('download'), translate('ledger.export')),
      h('button', { type: 'button', class: 'button', onclick: () => file.click() }, icon('upload'),
        translate('ledger.import')), file),
    said,
    all.length > 0 && h('p', { class: 'section-note' }, translate('ledger.export.note')));
}

/**
 * @param {Choice[]} choices
 * @returns {Promise<import('./calendar.js').CalendarWords>}
 */
async function calendarWords(choices) {
  const names = new Map(await Promise.all(choices.map(async ({ id, device }) => (
    /** @type {[string, string]} */ ([id, keptHere.has(id) ? device.name : await nameOf(device)])))));
  return {
    name: translate('ledger.calendar.name', { name: instanceName() }), host: location.hostname,
    title: (choice) => translate('ledger.calendar.title', {
      choice: choiceTitle(choice), device: names.get(choice.id) ?? '',
    }),
    text: (choice) => translate('ledger.calendar.text', { operator: choice.operator?.name ?? translate('unknown') }),
    address: (choice) => `${location.origin}/choices/${choice.id}`,
  };
}

/** @param {HTMLInputElement} input @param {Ledger} own @param {HTMLElement} said */
async function read(input, own, said) {
  const [file] = input.files ?? [];
  input.value = '';
  if (!file) return;
  const choices = file.size <= LARGEST ? importLedger(await file.text()) : null;
  if (!choices) {
    said.textContent = translate('ledger.import.wrong');
    return;
  }
  let [taken, refused] = [0, 0];
  if (!await steadily(saidIn(said), async () => {
    const found = await own.take(choices);
    [taken, refused] = [found.taken, found.refused.length];
  })) return;
  await show();
  toast(refused ? plural('ledger.stayed', refused) : plural('ledger.imported', taken));
}

start();
