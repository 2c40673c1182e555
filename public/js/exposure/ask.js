// @ts-check
// «Ask these three for your data»: begins a letter to each operator, with the times filled in. The choices stay in
// this browser, also for a signed-in user, so that the times never reach the server.

import { getUnnamed, Outage, Refusal } from '../api.js';
import { openDialog } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { newId } from '../fields/field.js';
import { formatMoment, formatTime } from '../format.js';
import { whileBusy } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { readOptions, rightOf } from '../ledger/options.js';
import { browserLedger } from '../ledger/store.js';

/** @typedef {import('../ledger/options.js').Options} Options */
/**
 * @typedef {object} Addressee
 * @property {string} operator
 * @property {string} device the id of the device that the letter is about
 * @property {string} name of the device @property {string} category
 * @property {number} count of passed devices of this operator
 * @property {{from: number, to: number}[]} moments when it was passed; empty: the user enters the time
 */

const FIRST = 3; // ticked at the beginning
const MOST = 25; // operators in the dialog
const LONGEST = 200; // characters of the field of the letter

/**
 * @param {Addressee[]} all the ones with the most devices first
 */
export function openRequests(all) {
  const listed = all.slice(0, MOST);
  const hasTimes = listed.every(({ moments }) => moments.length);
  const id = newId('ask');
  const when = /** @type {HTMLInputElement} */ (h('input', {
    type: 'datetime-local', class: 'text-input', id: `${id}-when`, value: localMoment(new Date()),
  }));
  const boxes = listed.map(({ operator }, place) => /** @type {HTMLInputElement} */ (h('input', {
    type: 'checkbox', value: operator, checked: place < FIRST, id: `${id}-${place}`,
  })));
  const trouble = h('p', { class: 'complaint', role: 'alert' });
  trouble.hidden = true;
  const go = h('button', { type: 'button', class: 'button primary', 'data-act': 'begin-letters' }, icon('draft'),
    translate('exposure.ask.begin'));
  go.addEventListener('click', () => whileBusy([go], async () => {
    const chosen = listed.filter((_, place) => boxes[place].checked);
    trouble.hidden = chosen.length > 0;
    if (!chosen.length) {
      trouble.textContent = translate('exposure.ask.none');
      return;
    }
    const at = when.value ? new Date(when.value).getTime() : null;
    const timed = chosen.map((one) => (
      one.moments.length || at === null ? one : { ...one, moments: [{ from: at, to: at }] }));
    await begin(timed, (words) => {
      trouble.hidden = false;
      // One child: a complaint has an icon in front of it.
      fill(trouble, h('span', {}, ...words));
    });
  }));
  openDialog({
    title: translate('exposure.ask.title'), look: 'ask-operators', foot: [go],
    body: [
      h('p', {}, translate('exposure.ask.lead')),
      h('fieldset', { class: 'ask-list' }, h('legend', {}, translate('exposure.ask.operators')),
        ...listed.map(({ operator, count }, place) => h('label', { class: 'check', for: boxes[place].id }, boxes[place],
          h('span', {}, h('span', { class: 'said', dir: 'auto' }, operator), ' ',
            h('small', {}, plural('exposure.devices', count)))))),
      !hasTimes && h('div', { class: 'field' },
        h('label', { class: 'field-label', for: when.id }, translate('exposure.ask.when')), when),
      h('p', { class: 'field-note' }, translate('exposure.ask.privacy')), trouble,
    ],
  });
}

/** @param {Addressee[]} chosen @param {(words: (Node | string)[]) => void} say */
async function begin(chosen, say) {
  /** @type {Addressee[]} */
  const without = [];
  let last = '';
  try {
    for (const one of chosen) {
      const choice = await beginOne(one);
      if (choice) last = choice;
      else without.push(one);
    }
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof Outage)) throw error;
    say([error.message || translate('outage')]);
    return;
  }
  if (!without.length) {
    location.assign(chosen.length === 1 ? `/choices/${last}` : '/choices');
    return;
  }
  say([translate('exposure.ask.no_letter'), ' ', ...without.flatMap(({ operator, device }, place) => [
    place ? ', ' : '', h('a', { href: `/devices/${device}#can`, dir: 'auto' }, operator)])]);
}

/**
 * @param {Addressee} addressee
 * @returns {Promise<string | null>} the id of the choice; null if the law of the place has no such letter
 */
async function beginOne({ device, name, category, operator, moments }) {
  const { body } = await getUnnamed(`/api/collections/devices/items/${encodeURIComponent(device)}/choices`);
  const options = readOptions(body);
  const wish = wishOf(options);
  if (!wish) return null;
  const code = options.letterLanguage ?? language();
  const ledger = await browserLedger();
  const choice = await ledger.add({
    device: { id: device, name, category, country: options.country, status: 'reported' },
    ...wish, regime: options.regime, country: options.country, language: code,
    operator: { name: operator, contact: null }, rule: options.ruleFor(wish),
  });
  await ledger.change(choice.id, { details: { present_on: momentWords(moments, code) } });
  return choice.id;
}

/**
 * The request for access, otherwise the offer of the operator.
 * @param {Options} options
 */
function wishOf({ rights, offered }) {
  const access = rights.find(({ code, letter }) => code === 'access' && letter);
  if (access?.letter) return { kind: 'access', right: 'access', letter: access.letter };
  const choice = offered.find(({ letter }) => letter);
  return choice?.letter ? { kind: choice.kind, right: rightOf(choice.letter), letter: choice.letter } : null;
}

/**
 * The times of a letter, as many as fit.
 * @param {{from: number, to: number}[]} moments @param {string} code language of the letter
 */
export function momentWords(moments, code) {
  let words = '';
  for (const { from, to } of moments) {
    const start = formatMoment(new Date(from).toISOString(), code);
    const end = to - from >= 60_000 ? `–${formatTime(to, code)}` : '';
    const more = `${words ? '; ' : ''}${start}${end}`;
    if (words.length + more.length > LONGEST) break;
    words += more;
  }
  return words;
}

/** @param {Date} date for `datetime-local` */
function localMoment(date) {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
