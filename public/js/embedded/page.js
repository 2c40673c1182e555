// @ts-check
// The page for a frame on another site: the map, one chart or the card of a mapping day. It sends no cookie, stores
// nothing, and its links open the whole page in a new window.

import { getAsset, getJSON, omitCookies, Outage, Refusal } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { wholeAddress } from '../embed/address.js';
import { expectLanguage, startLanguage, translate } from '../i18n.js';
import { scheme } from '../taxonomies.js';
import { expectECharts, expectMaplibre } from '../vendor.js';
import { CHART_WORDS, showChart } from './chart.js';
import { showDay } from './day.js';
import { MAP_WORDS, showMap } from './map.js';

/** @typedef {import('../types').Settings} Settings */

async function start() {
  omitCookies();
  const asking = new URLSearchParams(location.search);
  const [chart, day] = [asking.get('chart'), asking.get('mapping_day')];
  // All requests that need no response, because each costs a round trip. The library is the largest.
  expectLanguage();
  const speaking = startLanguage(getAsset);
  const asked = getJSON('/api/settings');
  asked.catch(() => undefined); // handled below
  for (const name of chart ? CHART_WORDS : MAP_WORDS) scheme(name).catch(() => undefined);
  if (chart) expectECharts();
  else if (!day) expectMaplibre();
  await speaking;
  const content = byId('content');
  /** @type {Settings} */
  let settings;
  try {
    settings = await asked;
  } catch (error) {
    if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
    fill(content, h('p', { class: 'embed-words' }, translate('outage')), wayOut('Farol'));
    return;
  }
  document.title = settings.name;
  if (day) await showDay(content, day, wayOut(settings.name));
  else if (chart) await showChart(content, chart, wayOut(settings.name));
  else await showMap(content, settings, wayOut(settings.name));
}

/**
 * The link to the whole page. It gets its address when it is used, because the map moves.
 * @param {string} name of the instance
 */
function wayOut(name) {
  const address = () => wholeAddress(location.search, location.hash);
  const link = h('a', { class: 'embed-open-whole', href: address() }, translate('embed.open_named', { name }),
    icon('external'));
  for (const event of ['pointerdown', 'focus', 'click']) {
    link.addEventListener(event, () => link.setAttribute('href', address()));
  }
  return link;
}

start();
