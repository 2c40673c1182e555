// @ts-check
// All information that a decision about one item needs, on one screen.

import { getJSON } from '../api.js';
import { lateName } from '../devices/late-name.js';
import { flatten, OPERATOR, SECTIONS } from '../devices/record.js';
import { saidValue } from '../devices/said-value.js';
import { marker, statusBadge } from '../devices/terms.js';
import { fieldName, valueWords } from '../devices/value-words.js';
import { fill, h, icon } from '../dom.js';
import { formatDay, formatNumber, formatPosition } from '../format.js';
import { has, language, plural, translate } from '../i18n.js';
import { OneMap } from '../map/one-map.js';
import { readPhotos } from '../photos/photos.js';
import { categoryIcon, label } from '../taxonomies.js';
import { itemMap } from './item-map.js';

/** @typedef {import('./words.js').QueueItem} QueueItem */
/** @typedef {import('./words.js').QueueDevice} QueueDevice */
/** @typedef {{coordinates: [number, number]}} Place the value of the field `geometry` */

const maps = new OneMap();

/** @param {string} text RFC 3339 */
export function moment(text) {
  return new Intl.DateTimeFormat(language() === 'pt' ? 'pt-PT' : 'en-GB',
    { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text));
}

/**
 * The title of an item: the name of the device, or of the account.
 * @param {QueueItem} item
 */
export function title(item) {
  if (item.target.type === 'account' && item.account) {
    return h('bdi', {}, translate('order.account', { name: item.account.username }));
  }
  return item.device ? lateName(item.device) : h('bdi', {}, translate('order.nameless'));
}

/** @param {QueueItem} item */
export function detail(item) {
  return h('div', { class: 'item-detail' },
    h('h2', { id: 'item-title', tabindex: '-1' }, title(item)),
    h('p', { class: 'item-line' }, h('span', { class: 'chip' }, translate(`order.kind.${item.kind}`)),
      item.severity === 'high' && h('span', { class: 'chip is-on' }, translate('order.urgent')),
      item.device && statusBadge(item.device.status),
      item.device?.hidden && h('span', { class: 'chip is-on' }, translate('order.hidden'))),
    reasons(item), verdict(item), photo(item), changes(item), person(item), device(item));
}

/** @param {QueueItem} item */
function reasons({ reasons: given }) {
  if (!given?.length) return null;
  return section('order.why', h('ul', { class: 'reasons' }, ...given.map((one) => h('li', {},
    h('strong', {}, has(`flag.reason.${one.reason}`) ? translate(`flag.reason.${one.reason}`) : one.reason),
    one.note && h('blockquote', {}, one.note),
    h('p', { class: 'section-note' }, one.by ? h('bdi', {}, one.by) : translate('order.by.nobody'), ' · ',
      moment(one.at),
      one.times > 1 && [' · ', plural('order.times', one.times)])))));
}

/**
 * The changes of a revision. A first revision has no earlier values, so it shows only its own.
 * @param {QueueItem} item
 */
function changes({ changes: made, revision }) {
  if (!made?.length) return null;
  const isFirst = made.every(({ before }) => before === null);
  const told = isFirst
    ? made.filter(({ field, after }) => field === 'geometry' || valueWords(field, after) !== null)
    : made;
  return section(isFirst ? 'order.said' : 'order.changes',
    h('div', { class: 'table-holder', tabindex: '0', role: 'region', 'aria-label': translate('order.changes') },
      h('table', { class: 'changes' },
        h('caption', { class: 'section-note' }, translate('order.revision', { number: revision ?? '' })),
        !isFirst
          && h('thead', {},
            h('tr', {},
              ...['field', 'before', 'after'].map((column) =>
                h('th', { scope: 'col' }, translate(`order.changes.${column}`))))),
        h('tbody', {}, ...told.map((change) => {
          const field = change.field === 'geometry' ? 'place' : change.field;
          const value = (/** @type {unknown} */ one) => h('td', {},
            saidValue(field, field === 'place' ? /** @type {Place | null} */ (one)?.coordinates : one));
          return h('tr', {}, h('th', { scope: 'row' }, fieldName(field)), isFirst ? null : value(change.before),
            value(change.after));
        })))));
}

/**
 * The statement of a new user about a device.
 * @param {QueueItem} item
 */
function verdict({ verdict: said }) {
  if (!said) return null;
  return section('order.said',
    h('p', {}, h('strong', {}, translate(`claim.${said.claim}`)), ' – ', translate(`order.verdict.${said.verdict}`)),
    h('p', {}, translate(`claim.basis.${said.basis}`)), said.note && h('blockquote', { dir: 'auto' }, said.note));
}

/** @param {QueueItem} item */
function photo({ photo: shown }) {
  if (!shown) return null;
  const [one] = readPhotos([shown]);
  return section('order.photo', h('figure', { class: 'item-photo' },
    h('img', { src: one.url, alt: one.alt, width: one.width, height: one.height }),
    h('figcaption', { class: 'section-note' }, h('bdi', {}, one.alt || translate('order.photo.no_alt')))));
}

/** @param {QueueItem} item */
function device({ device: found, photo: shown }) {
  if (!found) return null;
  const [longitude, latitude] = /** @type {number[]} */ (found.geometry?.coordinates ?? []);
  const facts = h('dl', { class: 'facts' });
  wholeFacts(facts, found.id);
  const others = readPhotos(found.photos).filter((one) => one.id !== shown?.id);
  return section('order.device',
    h('div', { class: 'item-device' }, marker(categoryIcon(found.category), found.status),
      h('div', {},
        h('a', { href: `/devices/${found.id}`, target: '_blank' }, lateName(found), ' ', icon('external')),
        h('p', {}, label('categories', found.category)),
        longitude !== undefined
          && h('p', { class: 'section-note' }, translate('order.public_point'), ' ',
            formatPosition(longitude, latitude)),
        found.location && found.precision !== 'exact'
          && h('p', { class: 'section-note' }, translate('order.true_point'), ' ',
            formatPosition(found.location[0], found.location[1])))),
    others.length > 0 && h('ul', { class: 'item-photos' }, ...others.map((one) => h('li', {},
      h('a', { href: one.url, target: '_blank' },
        h('img', { src: one.thumb, alt: one.alt || translate('order.photo.no_alt'), loading: 'lazy' }),
        (one.hidden || one.waiting)
          && h('span', { class: 'chip' }, translate(one.hidden ? 'order.hidden' : 'order.waits')))))),
    longitude !== undefined && itemMap(found, maps), facts);
}

/**
 * Loads the remaining properties of the device after the page is drawn.
 * @param {HTMLElement} place @param {string} id
 */
async function wholeFacts(place, id) {
  try {
    const flat = flatten(await getJSON(`/api/collections/devices/items/${encodeURIComponent(id)}`));
    const known = SECTIONS.flatMap(({ fields }) =>
      fields.flatMap((field) => (field === 'operator' ? OPERATOR.map((part) => `operator.${part}`) : [field])))
      .filter((field) => !['name', 'category', 'place'].includes(field) && valueWords(field, flat[field]) !== null);
    fill(place,
      ...known.map((field) => h('div', {}, h('dt', {}, fieldName(field)), h('dd', {}, saidValue(field, flat[field])))));
  } catch {
    place.remove(); // the queue item contains enough to decide
  }
}

/**
 * How often users flagged contributions of this account. Public profiles show only the upheld flags.
 * @param {{flags?: {[count: string]: number}}} account
 */
function flagCounts({ flags = {} }) {
  const { received = 0, upheld = 0, dismissed = 0, open = 0, anonymous = 0 } = flags;
  return { received, upheld, dismissed, open, anonymous };
}

/** @param {QueueItem} item */
function person({ account }) {
  if (!account) return null;
  const { contributions = {}, decisions = [] } = account;
  const did = ['devices', 'edits', 'claims',
    'photos'].filter((kind) => contributions[kind])
      .map((kind) => `${translate(`person.count.${kind}`)}: ${formatNumber(contributions[kind], language())}`);
  return section('order.person',
    h('p', { class: 'item-line' },
      h('a', { href: `/people/${encodeURIComponent(account.username)}`, target: '_blank' },
        h('bdi', {}, account.username), ' ', icon('external')),
      h('span', { class: 'chip' }, translate(`role.${account.role}`)),
      account.new && h('span', { class: 'chip is-on' }, translate('order.person.new')),
      account.suspended && h('span', { class: 'chip is-on' }, translate('order.person.suspended')),
      account.joined_on
        && h('span', { class: 'section-note' },
          translate('person.joined', { day: formatDay(account.joined_on, language()) ?? '' }))),
    h('p', {}, [...did, translate('order.person.flags', flagCounts(account))].join(' · ')),
    decisions.length > 0 && h('ul', { class: 'points' }, ...decisions.map((one) => h('li', {},
      translate(`order.act.${one.action}`), ' · ', moment(one.at),
      one.undone_at ? ` · ${translate('order.undone')}` : '',
      one.reason !== one.action && [h('br', {}), h('bdi', {}, one.reason)]))));
}

/** @param {string} key @param {...(Node | string | null | false)} children */
function section(key, ...children) {
  return h('section', { class: 'fact-section' }, h('h3', {}, translate(key)), ...children);
}
