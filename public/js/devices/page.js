// @ts-check
// The page of one device: everything known and unknown, at an address of its own.

import { getJSON, isAbort, Outage, Refusal, connection } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { formatDay, formatList } from '../format.js';
import { uncertainty } from '../geography.js';
import { has, language, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { startShell } from '../page/shell.js';
import { settings as askSettings } from '../page/start.js';
import { onTheme, theme } from '../page/theme.js';
import { encodeView } from '../state.js';
import { categoryIcon, label, scheme } from '../taxonomies.js';
import { createMap } from '../map/map-view.js';
import { credits } from '../map/controls.js';
import { knownCount, readDevice } from './device.js';
import { sections } from './facts.js';
import { shareButton } from './share.js';
import { marker, statusBadge, unknown } from './terms.js';

/** @typedef {import('./device.js').Device} Device */

const SCHEMES = [
  'categories', 'data', 'purposes', 'identifiability', 'processing', 'storage', 'recipients', 'legal_bases', 'signage', 'operator_kinds',
  'statuses', 'freshness', 'precisions', 'settings', 'zones', 'mounts', 'choices', 'bases',
];

async function start() {
  await startShell();
  const id = decodeURIComponent(location.pathname.split('/').filter(Boolean).pop() ?? '');
  await show(id);
}

/** @param {string} id */
async function show(id) {
  const page = byId('content');
  try {
    const [feature] = await Promise.all([
      getJSON(`/api/collections/devices/items/${encodeURIComponent(id)}`), ...SCHEMES.map((name) => scheme(name)),
    ]);
    const device = readDevice(feature);
    document.title = `${device.name} · ${instanceName()}`;
    draw(page, device);
    await drawMap(device);
  } catch (error) {
    if (error instanceof Outage) await connection.recovered().then(() => show(id));
    else if (error instanceof Refusal) drawRefusal(page, error);
    else if (!isAbort(error)) throw error;
  }
}

/** @param {HTMLElement} page @param {Device} device */
function draw(page, device) {
  const parts = sections(device);
  const worth = parts.flatMap((part) => part.facts).filter((fact) => fact.counts).map((fact) => fact.value !== null);
  const known = knownCount(worth);
  const meter = h('meter', { min: '0', max: String(worth.length), value: String(known), 'aria-hidden': 'true' });
  fill(page,
    h('header', { class: 'device-head' },
      marker(categoryIcon(device.category), device.status),
      h('div', {},
        h('h1', { tabindex: '-1' }, device.name),
        h('p', { class: 'device-sentence' }, sentence(device)),
        h('p', { class: 'device-status' }, statusBadge(device.status, true))),
      h('div', { class: 'device-acts' },
        h('a', { class: 'button primary', href: mapAddress(device) }, icon('map'), translate('device.on_map')),
        shareButton(device.name, `/devices/${device.id}`))),
    h('aside', { class: 'device-map', 'aria-label': translate('device.where') }, h('div', { class: 'map', id: 'device-map' })),
    h('div', { class: 'device-sections' },
      h('div', { class: 'known' }, meter, h('p', {}, translate('device.known', { known, all: worth.length }))),
      photos(device),
      ...parts.map((part) => h('section', { class: 'fact-section', 'aria-labelledby': `section-${part.id}` },
        h('h2', { id: `section-${part.id}` }, translate(part.title)),
        part.facts.length > 0 && h('dl', { class: 'facts' }, ...part.facts.map((fact) => h('div', {},
          h('dt', {}, translate(`field.${fact.field}`)), h('dd', {}, fact.value ?? unknown())))),
        part.more ?? null))));
}

/** @param {Device} device */
function sentence(device) {
  const category = label('categories', device.category);
  if (!device.dataCollected.length) return translate('device.sentence.unknown', { category });
  const data = formatList(device.dataCollected.map((code) => label('data', code).toLocaleLowerCase(language())), language());
  return translate('device.sentence', { category, data });
}

/** @param {Device} device */
function photos(device) {
  /** @type {any[]} */
  const list = Array.isArray(device.properties.photos) ? device.properties.photos : [];
  if (!list.length) return null;
  return h('section', { class: 'photos', 'aria-label': translate('device.photos') }, ...list.map((photo) => (
    h('a', { href: `/api/photos/${encodeURIComponent(photo.id)}?size=large` },
      h('img', { src: `/api/photos/${encodeURIComponent(photo.id)}?size=thumb`, alt: String(photo.alt ?? ''), loading: 'lazy' })))));
}

/** @param {Device} device */
function zoomFor(device) {
  return { '100m': 15, '1km': 12.5, area: 9.5 }[device.precision ?? ''] ?? 16;
}

/** @param {Device} device */
function mapAddress(device) {
  const [longitude, latitude] = device.position;
  return `/?device=${device.id}#${encodeView({ longitude, latitude, zoom: zoomFor(device) })}`;
}

/**
 * A small map of where the device is; only the words where there is no WebGL.
 * @param {Device} device
 */
async function drawMap(device) {
  const place = byId('device-map');
  try {
    const settings = await askSettings();
    const canvas = h('div', { class: 'map-canvas' });
    fill(place, canvas);
    const [longitude, latitude] = device.position;
    const view = await createMap({
      container: canvas, settings, theme: theme(), language: language(), filters: null, lastZoom: 16, categories: [device.category],
      view: { longitude, latitude, zoom: Math.min(zoomFor(device), settings.streets || settings.tile_url ? 16 : 10) },
    });
    view.map.scrollZoom.disable();
    view.map.cooperativeGestures?.enable?.();
    view.choose(device);
    onTheme((now) => view.setTheme(now));
    place.append(h('div', { class: 'map-foot' }, credits(settings)));
    if (uncertainty(device.precision)) place.parentElement?.append(h('p', { class: 'section-note' }, translate('precision.circle')));
  } catch (error) {
    place.parentElement?.remove();
    byId('content').classList.add('is-mapless');
    if (error instanceof Refusal) throw error;
  }
}

/** @param {HTMLElement} page @param {Refusal} refusal */
function drawRefusal(page, { status, problem, message }) {
  const gone = status === 410;
  const title = gone ? translate('gone.title') : status === 404 || status === 400 ? translate('missing.title') : translate('list.trouble');
  document.title = `${title} · ${instanceName()}`;
  fill(page, h('div', { class: 'refusal' },
    h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon(gone ? 'trash' : 'question')),
    h('h1', {}, title),
    ...(gone ? goneWords(problem) : [h('p', {}, status === 404 || status === 400 ? translate('missing.card') : message)]),
    h('a', { class: 'button primary', href: '/' }, icon('search'), translate('missing.search'))));
}

/**
 * Who deleted it, when and why.
 * @param {import('../api.js').Problem} problem
 */
function goneWords(problem) {
  const day = formatDay(problem.deleted_at, language());
  const role = String(problem.deleted_by ?? problem.role ?? '');
  const who = has(`gone.role.${role}`) ? translate(`gone.role.${role}`) : role;
  const reason = String(problem.reason ?? problem.reason_code ?? '');
  return [
    day && who ? h('p', {}, translate('gone.when', { day, role: who })) : h('p', {}, translate('gone.card')),
    reason ? h('p', {}, translate('gone.reason', { reason: has(`gone.reason.${reason}`) ? translate(`gone.reason.${reason}`) : reason.replace(/_/g, ' ') })) : null,
    problem.merged_into ? h('p', {}, translate('gone.merged'), ' ', h('a', { href: `/devices/${encodeURIComponent(problem.merged_into)}` }, translate('gone.merged.link'))) : null,
  ];
}

start();
