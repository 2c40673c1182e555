// @ts-check
// The page «About»: the project, privacy, the data and the licences of the libraries.

import { takeButton } from './data/take-button.js';
import { ask } from './dialog.js';
import { byId, fill, h, icon } from './dom.js';
import { saidOver, steadily } from './forms/steadily.js';
import { language, plural, translate } from './i18n.js';
import { safeLink } from './links.js';
import { creditWords } from './map/credit-words.js';
import { mapMakers } from './map/street-maps.js';
import { toast } from './page/notices.js';
import { deviceTiles, settings as askSettings } from './page/start.js';
import { maybeSignedIn, signOut } from './session.js';
import { startShell } from './shell/shell.js';
import { forgetAll } from './storage/kept.js';

/** @typedef {import('./page/start.js').Settings} Settings */

/** Name, version, licence, key of the purpose. */
const WORKS = [
  ['MapLibre GL JS', '5.24.0', 'BSD-3-Clause', 'about.use.map'],
  ['MapLibre GL CSS', '5.3.0', 'BSD-3-Clause', 'about.use.style'],
  ['Apache ECharts', '6.0.0', 'Apache-2.0', 'about.use.charts'],
  ['Noto Sans', '2.x', 'OFL-1.1', 'about.use.font'],
  ['Bootstrap Icons', '1.10.3', 'MIT', 'about.use.icons'],
  ['GeoNames', 'cities500', 'CC BY 4.0', 'about.use.places'],
  ['GSHHG', '2.3.6', 'LGPL-3.0', 'about.use.coast'],
  ['Natural Earth', '3.0', 'Public domain', 'about.use.borders'],
  ['OpenStreetMap (Timezone Boundary Builder)', '2020d', 'ODbL-1.0', 'about.use.countries'],
  ['W3C Data Privacy Vocabulary', '2.3', 'W3C Software and Document', 'about.use.terms'],
];

async function start() {
  await startShell();
  const [settings, tiles] = await Promise.all([askSettings(), deviceTiles()]);
  draw(settings, tiles.attribution ?? '');
}

/** @param {Settings} settings @param {string} attribution of the devices */
function draw(settings, attribution) {
  const { name } = settings;
  document.title = translate('about.title', { name });
  fill(byId('content'),
    h('h1', {}, translate('about.title', { name })),
    h('p', { class: 'lead' }, translate('about.lead')),
    h('p', {}, `${plural('about.count', settings.counts?.devices ?? 0)} ${translate('about.unknown')}`),
    ...privacy(settings), ...data(settings, attribution), ...works(),
    h('h2', {}, translate('about.contact')),
    contact(settings),
    h('p', { class: 'section-note' }, translate('about.version', { version: settings.version })));
}

/** @param {Settings} settings */
function privacy(settings) {
  const outside = settings.tile_url;
  const images = settings.satellite?.host;
  return [
    h('h2', { id: 'privacy' }, translate('about.privacy')),
    h('ul', { class: 'points' },
      ...['account', 'log', 'cookies', 'place', 'here']
        .map((point) => h('li', {}, translate(`about.privacy.${point}`))),
      h('li', {}, outside
        ? translate('about.privacy.outside', { host: outside.host }) : translate('about.privacy.others')),
      images && h('li', {}, translate('about.privacy.satellite', { host: images }))),
    h('p', {}, h('a', { href: '/terms#terms-who' }, translate('about.privacy.terms'))),
    h('p', {},
      h('button', { type: 'button', class: 'button', onclick: forget }, icon('trash'), translate('about.forget'))),
  ];
}

/** The session is in this browser too, so it ends. */
async function forget() {
  const answer = await ask({
    title: translate('about.forget.ask'), words: translate('about.forget.words'),
    answers: [
      { value: 'stay', label: translate('about.forget.stay'), look: 'primary' },
      { value: 'delete', label: translate('about.forget.now'), look: 'grave' },
    ],
  });
  if (answer !== 'delete') return;
  if (maybeSignedIn() && !await steadily(saidOver(document.body), signOut)) return;
  await forgetAll();
  toast(translate('about.forgotten'));
}

/** @param {Settings} settings @param {string} attribution of the devices */
function data(settings, attribution) {
  const map = mapMakers(settings);
  return [
    h('h2', { id: 'data' }, translate('about.data')),
    h('h3', {}, translate('about.data.map')),
    h('p', {}, map.map(creditWords).join(' · ')),
    h('h3', {}, translate('about.data.devices')),
    h('ul', { class: 'points' },
      ...attribution.split(' · ').filter(Boolean).map((part) => h('li', {}, part))),
    h('p', {},
      settings.licence && `${translate('field.licence')}: ${settings.licence}. `, translate('about.data.each')),
    h('p', {}, translate('about.data.take')),
    h('p', {}, takeButton(() => ({ filters: new URLSearchParams(), box: null }))),
  ];
}

function works() {
  return [
    h('h2', { id: 'licences' }, translate('about.libraries')),
    h('div', { class: 'table-holder', tabindex: '0', role: 'region', 'aria-label': translate('about.libraries') },
      h('table', {},
        h('thead', {}, h('tr', {}, ...['name', 'version', 'licence', 'use']
          .map((column) => h('th', { scope: 'col' }, translate(`about.libraries.${column}`))))),
        h('tbody', {}, ...WORKS.map(([name, version, licence, use]) => h('tr', {},
          h('th', { scope: 'row' }, name), h('td', {}, version), h('td', {}, licence),
          h('td', {}, translate(use))))))),
  ];
}

/** @param {Settings} settings */
function contact({ contact: given }) {
  const href = safeLink(given);
  if (!given) return h('p', {}, translate('about.contact.none'));
  return h('p', { lang: href ? null : language() }, href ? h('a', { href }, given.replace(/^mailto:/, '')) : given);
}

start();
