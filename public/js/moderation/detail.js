// @ts-check
// Everything a decision about one item needs, on one screen.

import { getJSON } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { readDevice } from '../devices/device.js';
import { marker, statusBadge } from '../devices/terms.js';
import { formatPosition } from '../format.js';
import { has, language, translate } from '../i18n.js';
import { createMap } from '../map/map-view.js';
import { credits } from '../map/controls.js';
import { settings as askSettings } from '../page/start.js';
import { theme } from '../page/theme.js';
import { categoryIcon, label } from '../taxonomies.js';
import { valueWords } from './words.js';

/** @typedef {import('./words.js').QueueItem} QueueItem */

/** @param {string} text RFC 3339 */
export function moment(text) {
  return new Intl.DateTimeFormat(language() === 'pt' ? 'pt-PT' : 'en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text));
}

/**
 * The item's name: the device's, or whose account it is.
 * @param {QueueItem} item
 */
export function title(item) {
  if (item.target.type === 'account' && item.account) return translate('order.account', { name: item.account.username });
  return item.device?.name ?? translate('order.nameless');
}

/** @param {QueueItem} item */
export function detail(item) {
  return h('div', { class: 'item-detail' },
    h('h2', { id: 'item-title', tabindex: '-1' }, h('bdi', {}, title(item))),
    h('p', { class: 'item-line' }, h('span', { class: 'chip' }, translate(`order.kind.${item.kind}`)),
      item.device && statusBadge(item.device.status), item.device?.hidden && h('span', { class: 'chip is-on' }, translate('order.hidden'))),
    reasons(item), changes(item), photo(item), device(item), person(item));
}

/** @param {QueueItem} item */
function reasons({ reasons: given }) {
  if (!given?.length) return null;
  return section('order.why', h('ul', { class: 'reasons' }, ...given.map((one) => h('li', {},
    h('strong', {}, has(`flag.reason.${one.reason}`) ? translate(`flag.reason.${one.reason}`) : one.reason),
    one.note && h('blockquote', {}, one.note),
    h('p', { class: 'section-note' }, one.by ? h('bdi', {}, one.by) : translate('order.by.nobody'), ' · ', moment(one.at))))));
}

/** @param {QueueItem} item */
function changes({ changes: made, revision }) {
  if (!made?.length) return null;
  const unknown = translate('unknown');
  return section('order.changes', h('div', { class: 'table-holder', tabindex: '0', role: 'region', 'aria-label': translate('order.changes') },
    h('table', { class: 'changes' },
      h('caption', { class: 'section-note' }, translate('order.revision', { number: revision ?? '' })),
      h('thead', {}, h('tr', {}, ...['field', 'before', 'after'].map((column) => h('th', { scope: 'col' }, translate(`order.changes.${column}`))))),
      h('tbody', {}, ...made.map((change) => h('tr', {},
        h('th', { scope: 'row' }, has(`field.${change.field}`) ? translate(`field.${change.field}`) : change.field),
        h('td', {}, h('bdi', {}, valueWords(change.before, unknown))), h('td', {}, h('bdi', {}, valueWords(change.after, unknown)))))))));
}

/** @param {QueueItem} item */
function photo({ photo: shown }) {
  if (!shown) return null;
  return section('order.photo', h('figure', { class: 'item-photo' },
    h('img', { src: shown.url ?? `/api/photos/${encodeURIComponent(shown.id)}?size=large`, alt: shown.alt ?? '' }),
    h('figcaption', { class: 'section-note' }, shown.alt || translate('order.photo.no_alt'))));
}

/** @param {QueueItem} item */
function device({ device: found }) {
  if (!found) return null;
  const [longitude, latitude] = found.geometry?.coordinates ?? [];
  const map = h('div', { class: 'item-map map' });
  const facts = h('dl', { class: 'facts' });
  if (longitude !== undefined) drawMap(map, found);
  wholeFacts(facts, found.id);
  return section('order.device',
    h('div', { class: 'item-device' }, marker(categoryIcon(found.category), found.status),
      h('div', {}, h('a', { href: `/devices/${found.id}`, target: '_blank' }, h('bdi', {}, found.name), ' ', icon('external')),
        h('p', {}, label('categories', found.category)),
        longitude !== undefined && h('p', { class: 'section-note' }, translate('order.public_point'), ' ', formatPosition(longitude, latitude)),
        found.location && h('p', { class: 'section-note' }, translate('order.true_point'), ' ', formatPosition(found.location[0], found.location[1])))),
    map, facts);
}

const FACTS = ['description', 'operator', 'data_collected', 'purposes', 'manufacturer', 'model', 'setting', 'precision', 'revision', 'created_at', 'updated_at'];

/** The rest of what the device says comes a moment later. @param {HTMLElement} place @param {string} id */
async function wholeFacts(place, id) {
  try {
    const feature = await getJSON(`/api/collections/devices/items/${encodeURIComponent(id)}`);
    const unknown = translate('unknown');
    fill(place, ...FACTS.filter((name) => feature.properties[name] !== null && feature.properties[name]?.length !== 0).map((name) => h('div', {},
      h('dt', {}, has(`field.${name}`) ? translate(`field.${name}`) : name),
      h('dd', {}, h('bdi', {}, valueWords(feature.properties[name], unknown))))));
  } catch {
    place.remove(); // what the queue itself says is enough to decide by
  }
}

/** @param {HTMLElement} place @param {any} found */
async function drawMap(place, found) {
  try {
    const settings = await askSettings();
    const canvas = h('div', { class: 'map-canvas' });
    fill(place, canvas);
    const [longitude, latitude] = found.geometry.coordinates;
    const view = await createMap({
      container: canvas, settings, theme: theme(), language: language(), filters: '', lastZoom: 16,
      categories: [found.category], view: { longitude, latitude, zoom: settings.streets || settings.tile_url ? 16 : 11 },
    });
    view.map.scrollZoom.disable();
    view.choose(readDevice({ type: 'Feature', id: found.id, geometry: found.geometry, properties: found }));
    place.append(h('div', { class: 'map-foot' }, credits(settings)));
  } catch {
    place.remove();
  }
}

/** @param {QueueItem} item */
function person({ account }) {
  if (!account) return null;
  return section('order.person', h('p', {},
    h('a', { href: `/people/${encodeURIComponent(account.username)}`, target: '_blank' }, h('bdi', {}, account.username), ' ', icon('external'))),
    h('p', { class: 'item-line' },
      h('span', { class: 'chip' }, translate(`role.${account.role}`)),
      account.new && h('span', { class: 'chip is-on' }, translate('order.person.new')),
      account.suspended && h('span', { class: 'chip is-on' }, translate('order.person.suspended')),
      h('span', {}, translate('order.person.flags', { received: account.flags?.received ?? 0, upheld: account.flags?.upheld ?? 0 }))));
}

/** @param {string} key @param {...(Node | string | null | false)} children */
function section(key, ...children) {
  return h('section', { class: 'fact-section' }, h('h3', {}, translate(key)), ...children);
}
