// @ts-check
// On the page of a device: its operator, and for operators a button to claim the device.

import { getJSON, send } from '../api.js';
import { ask } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { announce, toast } from '../page/notices.js';
import { session } from '../session.js';
import { readStatement, statementHead } from './statement.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('./organisation.js').Organisation} Organisation */
/** @typedef {'standing' | 'waiting' | null} State of the claim by the user’s organisation */

/** @type {Promise<Organisation | null> | undefined} */
let asked;

/** The organisation of the current user, requested once per page. */
function mine() {
  asked ??= getJSON('/api/operators/mine').catch(() => null);
  return asked;
}

/**
 * @param {Device} device @param {() => Promise<void>} changed
 * @returns {Node[]}
 */
export function ownership(device, changed) {
  const statement = readStatement(device.properties);
  const registered = device.properties.registered_operator ?? null;
  /** @type {Node[]} */
  const parts = [];
  if (statement) parts.push(statementHead(statement));
  else if (registered?.name) {
    parts.push(h('div', { class: 'operator-says operator-head' },
      h('span', { class: 'said-by' }, icon('city'), translate('said_by.operator')),
      h('p', {}, h('a', { class: 'said', href: `/operators/${registered.id}` }, registered.name), ' ',
        translate('said_by.ours'))));
  }
  if (session()?.account.role === 'operator') {
    const place = h('div', { class: 'own-device' });
    mine().then((own) => { if (own) draw(place, device, own, changed); });
    parts.push(place);
  }
  return parts;
}

/** @param {HTMLElement} place @param {Device} device @param {Organisation} own @param {() => Promise<void>} changed */
function draw(place, device, own, changed) {
  const holder = readStatement(device.properties)?.operator.id ?? device.properties.registered_operator?.id ?? null;
  /** @type {State} */
  const state = device.properties.own_claim ?? (holder === own.id ? 'standing' : null);
  show(place, device, own, state, holder !== null && holder !== own.id, changed);
}

/**
 * @param {HTMLElement} place @param {Device} device @param {Organisation} own @param {State} state
 * @param {boolean} isOthers @param {() => Promise<void>} changed
 */
function show(place, device, own, state, isOthers, changed) {
  const address = `/api/collections/devices/items/${encodeURIComponent(device.id)}/operator`;
  const fault = h('p', { class: 'complaint', role: 'alert' });
  fault.hidden = true;
  const claim = async () => {
    /** @type {'waiting' | 'standing'} */
    let now = 'standing';
    const isClaimed = await steadily(saidIn(fault), async () => {
      const { body } = await send('POST', address, { json: {} });
      if (body?.state === 'waiting') now = 'waiting';
    }, {
      refused: ({ status, problem }) => {
        if (status !== 409 || !problem.state) return false;
        show(place, device, own, problem.state, false, changed);
        return true;
      },
    });
    if (!isClaimed) return;
    show(place, device, own, now, false, changed);
    announce(translate(`own_device.${now}`));
    place.querySelector('h3')?.focus();
  };
  const giveUp = async () => {
    const answer = await ask({
      title: translate('own_device.give_up.title'), words: translate('own_device.give_up.words'),
      answers: [
        { value: 'keep', label: translate('form.cancel') },
        { value: 'go', label: translate('own_device.give_up'), look: 'grave' },
      ],
    });
    if (answer !== 'go') return;
    const isGivenUp = await steadily(saidIn(fault), () => send('DELETE', address), {
      refused: ({ status }) => status === 404, // the response to the first request was lost
    });
    await changed();
    if (isGivenUp) toast(translate('own_device.given_up'));
  };
  fill(place,
    h('h3', { tabindex: '-1' }, translate('own_device.title', { name: own.name })),
    h('p', { class: 'section-note' },
      translate(state ? `own_device.${state}` : isOthers ? 'own_device.others' : 'own_device.none')),
    h('div', { class: 'form-acts' },
      !state
        && h('button', { type: 'button', class: 'button', id: 'claim-device', onclick: claim }, icon('city'),
          translate('own_device.claim')),
      state === 'standing'
        && h('a', { class: 'button primary', id: 'state-practice', href: `/devices/${device.id}/statement` },
          icon('edit'), translate('own_device.state')),
      state
        && h('button', { type: 'button', class: 'button grave', id: 'give-up-device', onclick: giveUp }, icon('minus'),
          translate('own_device.give_up'))),
    fault);
}
