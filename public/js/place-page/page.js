// @ts-check
// The page of a town, district, region or country: how many devices it has, of what kind and of whom, what they
// collect, how old the knowledge is, and what is missing.

import { connection, getJSON, Outage, Refusal } from '../api.js';
import { feedLink } from '../data/feed.js';
import { takeButton } from '../data/take-button.js';
import { byId, fill, h, icon } from '../dom.js';
import { embedButton } from '../embed/button.js';
import { copyButton } from '../forms/copy.js';
import { formatDay, formatMeasure, formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { readOutcomes } from '../ledger/outcomes.js';
import { outcomeNumber } from '../outcomes/practice.js';
import { instanceName } from '../page/brand.js';
import { areaWords, placeContext } from '../places/place.js';
import { startShell } from '../shell/shell.js';
import { label, scheme } from '../taxonomies.js';
import { followPlace } from '../watches/follow.js';
import { bars, comparisonTable, growthTable } from './figures.js';
import { placeMap } from './map.js';
import { answersHere, citation, compared, comparisonPath, groupsPath, growthPath, missing } from './requests.js';

/** @typedef {import('./requests.js').Details} Details */
/** @typedef {import('../statistics/figures.js').Answer} Answer */

const id = decodeURIComponent(location.pathname.split('/')[2] ?? '');
const SCHEMES = ['categories', 'data', 'freshness'];
const MOST_COMPARED = 12;

async function start() {
  await startShell();
  await show();
}

/** @returns {Promise<void>} */
async function show() {
  try {
    const place = await getJSON(`/api/places/${encodeURIComponent(id)}?lang=${language()}`);
    const [kinds, operators, data, ages, growth] = await Promise.all([
      ...['category', 'operator', 'data_collected', 'freshness'].map((property) => getJSON(groupsPath(id, property))),
      getJSON(growthPath(id)), ...SCHEMES.map((name) => scheme(name).catch(() => null)),
    ]);
    draw(place, { kinds, operators, data, ages, growth });
  } catch (error) {
    if (error instanceof Outage) return connection.recovered().then(show);
    if (!(error instanceof Refusal)) throw error;
    const isLost = error.status === 404 || error.status === 400;
    const title = isLost ? translate('place.lost') : translate('list.trouble');
    document.title = `${title} · ${instanceName()}`;
    fill(byId('content'), h('div', { class: 'refusal' },
      h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon('question')), h('h1', {}, title),
      h('p', {}, isLost ? translate('place.lost.why') : error.message),
      h('a', { class: 'button primary', href: '/' }, icon('map'), translate('account.to_map'))));
  }
  return undefined;
}

/**
 * @typedef {{kinds: Answer, operators: Answer, data: Answer, ages: Answer, growth: Answer}} Figures
 */

/** @param {Details} place @param {Figures} figures */
function draw(place, figures) {
  const name = areaWords(place);
  const { kinds } = figures;
  const whole = `/?place=${place.id}`;
  document.title = `${name} · ${instanceName()}`;
  const others = h('div', {});
  const letters = h('div', {});
  fill(byId('content'), h('div', { class: 'place-page' },
    h('header', { class: 'place-head' },
      h('h1', { tabindex: '-1' }, h('bdi', {}, name)),
      placeContext(place) && h('p', { class: 'section-note' }, placeContext(place)),
      headline(place, kinds)),
    placeMap(place, name, whole),
    h('nav', { class: 'place-acts', 'aria-label': translate('place.acts') },
      h('a', { class: 'button', href: `/statistics?place=${place.id}` }, icon('chart'), translate('place.statistics')),
      followPlace(String(place.id), place.name),
      takeButton(() => ({ filters: new URLSearchParams({ place: String(place.id) }), box: null })),
      embedButton({ title: name, page: () => whole }, 'button'),
      feedLink(() => new URLSearchParams({ place: String(place.id) }), 'button')),
    kinds.total === 0
      ? h('p', { class: 'place-none' }, translate('place.none'), ' ',
        h('a', { href: whole }, translate('place.none.add')))
      : sections(figures),
    h('div', { class: 'place-rest' }, letters, others, parts(place), cite(place, name, kinds))));
  if (kinds.total) showLetters(letters, figures.operators);
  showComparison(others, place);
}

/** @param {Details} place @param {Answer} kinds */
function headline(place, kinds) {
  const { total, devices_per_square_kilometre: density, square_kilometres: size } = kinds;
  const inside = place.bordered ? 'place.inside' : 'place.near';
  return [
    h('p', { class: 'place-total' }, h('strong', {}, formatNumber(total, language())), ' ', plural(inside, total)),
    density !== null && size !== null && total > 0
      && h('p', { class: 'section-note' }, translate('place.density',
        { density: formatMeasure(density, language()), size: formatMeasure(size, language()) })),
    h('p', { class: 'section-note' }, place.bordered
      ? translate('place.border', { source: place.border?.attribution ?? '' })
      : translate('place.no_border')),
  ];
}

/** @param {Figures} figures */
function sections({ kinds, operators, data, ages, growth }) {
  return h('div', { class: 'place-sections' },
    section('kinds', bars(kinds, 'category', (code) => label('categories', code))),
    section('operators', bars(operators, 'operator', (name) => name,
      (name) => `/?${new URLSearchParams({ place: id, operator: name })}`), translate('place.operators.note')),
    section('data', bars(data, 'data_collected', (code) => label('data', code)), translate('place.data.note')),
    section('ages', bars(ages, 'freshness', (code) => translate(`place.freshness.${code}`))),
    section('growth', growthTable(growth.series)),
    section('missing', lacking(kinds, ages)));
}

/** @param {string} name @param {...(Node | string | null)} content */
function section(name, ...content) {
  return h('section', { class: 'paper', 'aria-labelledby': `place-${name}` },
    h('h2', { id: `place-${name}` }, translate(`place.${name}`)),
    ...content.map((part) => (typeof part === 'string' ? h('p', { class: 'section-note' }, part) : part)));
}

/** @param {Answer} kinds @param {Answer} ages */
function lacking(kinds, ages) {
  const list = missing(kinds, ages);
  const hrefs = {
    operator: `/?place=${id}&operator_kind=unknown`, retention: `/?place=${id}`,
    stale: `/?place=${id}&freshness=due,stale`,
  };
  return list.length
    ? h('ul', { class: 'place-missing' },
      ...list.map(({ name, count }) => h('li', {},
        h('a', { href: hrefs[name] },
          plural(`place.missing.${name}`, count, { count: formatNumber(count, language()) })))))
    : h('p', {}, translate('place.missing.nothing'));
}

/**
 * The outcomes of requests to the operators here, which are published only from ten people on.
 * @param {HTMLElement} element @param {Answer} operators
 */
async function showLetters(element, operators) {
  const answer = await getJSON('/api/outcomes?by=operator&limit=100').catch(() => null);
  if (!answer) return;
  const { rows, minimum } = readOutcomes(answer);
  const here = answersHere(operators, rows);
  const NAMES = /** @type {const} */ (['asked', 'honoured', 'refused', 'overdue']);
  fill(element, section('letters',
    here.length
      ? h('table', { class: 'place-table' },
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, translate('place.operator')),
          ...NAMES.map((name) => h('th', { scope: 'col' }, translate(`outcomes.${name}`))))),
        h('tbody', {}, ...here.map((row) => h('tr', {},
          h('th', { scope: 'row' }, h('bdi', {}, row.name)),
          ...NAMES.map((name) => h('td', {}, outcomeNumber(row[name])))))))
      : h('p', {}, translate('place.letters.none', { minimum: String(minimum) })),
    translate('place.letters.note', { minimum: String(minimum) })));
}

/** @param {HTMLElement} element @param {Details} place */
async function showComparison(element, place) {
  const places = [place, ...place.neighbours].slice(0, MOST_COMPARED);
  if (places.length < 2) return;
  const answer = await getJSON(comparisonPath(places.map((one) => String(one.id)))).catch(() => null);
  if (!answer) return;
  fill(element, section('neighbours',
    comparisonTable(compared(places, answer.areas), String(place.id)),
    translate(places.every((one) => one.bordered) ? 'place.neighbours.note' : 'place.neighbours.note_around')));
}

/** @param {Details} place */
function parts(place) {
  if (!place.parts.length) return null;
  return section('parts', h('ul', { class: 'place-parts place-inside' },
    ...place.parts.map((part) => h('li', {}, h('a', { href: `/places/${part.id}` }, h('bdi', {}, part.name))))));
}

/** @param {Details} place @param {string} name @param {Answer} kinds */
function cite(place, name, kinds) {
  const text = citation({
    name, total: plural('place.cite.devices', kinds.total, { count: formatNumber(kinds.total, language()) }),
    site: instanceName(), url: `${location.origin}/places/${place.id}`,
    day: formatDay(kinds.generated_at.slice(0, 10), language()) ?? kinds.generated_at.slice(0, 10),
  }, translate);
  const words = h('p', { class: 'place-citation', tabindex: '0' }, text);
  return section('cite', words, h('p', { class: 'form-acts' }, copyButton(text, translate('place.cite.copy'), words),
    h('a', { class: 'button', href: `/api/cards/places/${place.id}.png?lang=${language()}`, download: '' },
      icon('download'), translate('place.card'))),
  h('p', { class: 'section-note place-definition' }, kinds.definition));
}

start();
