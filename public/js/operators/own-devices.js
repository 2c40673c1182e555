// @ts-check
// Devices that name an approved organisation as their operator, on its own page: all are claimed with one tap.

import { getJSON, Refusal, send } from '../api.js';
import { readDevice } from '../devices/device.js';
import { displayName, prepareName } from '../devices/name.js';
import { fill, h, icon } from '../dom.js';
import { saidIn, steadily, whileBusy } from '../forms/steadily.js';
import { plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { scheme } from '../taxonomies.js';
import { devicesQuery } from './named.js';

/** @typedef {import('./organisation.js').Organisation} Organisation */
/** @typedef {import('../types').DeviceFeature} DeviceFeature */

const ITEMS = '/api/collections/devices/items';
const PROPERTIES = 'name,category,operator,manufacturer,registered_operator';
const MOST = 50; // devices at once: an organisation makes sixty claims an hour

/** @param {Organisation} own */
export function ownDevicesPart(own) {
  const content = h('div', {});
  const show = () => load(own).then((found) => draw(content, own, found, show),
    () => fill(content, h('p', {}, translate('outage'))));
  show();
  return h('section', { class: 'paper', id: 'own-devices', 'aria-labelledby': 'own-devices-title' },
    h('h2', { id: 'own-devices-title', tabindex: '-1' }, translate('own_devices.title')), content);
}

/**
 * The devices that name the organisation, in any of its spellings, and the query for them on the map.
 * @param {Organisation} own @returns {Promise<{query: string, devices: DeviceFeature[]}>}
 */
async function load({ name }) {
  const spellings = await getJSON(`/api/operators/named/${encodeURIComponent(name)}`)
    .then((named) => named.spellings, (error) => {
      if (error instanceof Refusal) return [{ name }];
      throw error;
    });
  const query = devicesQuery({ spellings });
  const { features } = await getJSON(`${ITEMS}?${query}&properties=${PROPERTIES}&limit=${MOST}`);
  await Promise.all([scheme('categories').catch(() => null), ...features.map(readDevice).map(prepareName)]);
  return { query, devices: features };
}

/**
 * @param {HTMLElement} content @param {Organisation} own @param {{query: string, devices: DeviceFeature[]}} found
 * @param {() => Promise<void>} again
 */
function draw(content, own, { query, devices }, again) {
  const isOwn = (/** @type {DeviceFeature} */ device) => device.properties.registered_operator?.id === own.id;
  const open = devices.filter((device) => !device.properties.registered_operator);
  const fault = h('p', { class: 'complaint', role: 'alert' });
  fault.hidden = true;
  const claim = async () => {
    if (button.getAttribute('aria-disabled')) return;
    // After an outage it goes on with the devices that are left.
    const left = [...open];
    const isDone = await whileBusy([button], () => steadily(saidIn(fault), async () => {
      while (left.length) {
        await send('POST', `${ITEMS}/${encodeURIComponent(left[0].id)}/operator`, { json: {} });
        left.shift();
      }
    }));
    if (!isDone) return;
    announce(plural('own_devices.done', open.length));
    await again();
    document.getElementById('own-devices-title')?.focus();
  };
  const button = h('button', { type: 'button', class: 'button primary', id: 'claim-devices', onclick: claim },
    icon('city'), plural('own_devices.claim', open.length));
  fill(content,
    h('p', {}, devices.length
      ? [plural('own_devices.named', devices.length), ' ', plural('own_devices.own', devices.filter(isOwn).length)]
      : translate('own_devices.none')),
    open.length > 0 && h('ul', { class: 'points' }, ...open.map((device) => h('li', {},
      h('a', { class: 'said', href: `/devices/${encodeURIComponent(device.id)}` }, displayName(readDevice(device)))))),
    h('div', { class: 'form-acts' },
      open.length > 0 && button,
      h('a', { class: 'button', href: devices.length ? `/?${query}` : '/' }, icon('map'),
        translate('own_devices.map'))),
    fault);
}
