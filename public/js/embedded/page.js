// @ts-check
// The page for a frame on another site: the map, one chart or the card of a mapping day. It sends no cookie, stores
// nothing, and its links open the whole page in a new window.

import { getAsset, getJSON, omitCookies, Outage, Refusal } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { wholeAddress } from '../embed/address.js';
import { expectLanguage, startLanguage, translate } from '../i18n.js';
import { soon, Stale } from '../late.js';
import { scheme } from '../taxonomies.js';
import { expectECharts, expectMaplibre } from '../vendor.js';
import { showMap } from './map.js';
import { CHART_WORDS, MAP_WORDS } from './schemes.js';

async function start() {
  omitCookies();
  const asking = new URLSearchParams(location.search);
  const [chart, day] = [asking.get('chart'), asking.get('mapping_day')];
  // All requests that need no response, because each costs a round trip. The library is the largest. Most frames have a
  // map, so the page names the scripts of the map only.
  expectLanguage();
  const speaking = startLanguage(getAsset);
  const asked = Promise.all([
    getJSON('/api/settings'), day ? soon(import('./day.js')) : null, chart && !day ? soon(import('./chart.js')) : null,
  ]);
  asked.catch(() => undefined); // handled below
  for (const name of chart ? CHART_WORDS : MAP_WORDS) scheme(name).catch(() => undefined);
  if (chart) expectECharts();
  else if (!day) expectMaplibre();
  await speaking;
  const content = byId('content');
  try {
    const [settings, ofDay, ofChart] = await asked;
    document.title = settings.name;
    const way = wayOut(settings.name);
    if (ofDay) await ofDay.showDay(content, day ?? '', way);
    else if (ofChart) await ofChart.showChart(content, chart ?? '', way);
    else await showMap(content, settings, way);
  } catch (error) {
    if (!(error instanceof Outage) && !(error instanceof Refusal) && !(error instanceof Stale)) throw error;
    fill(content, h('p', { class: 'embed-words' }, translate('outage')), wayOut('Farol'));
  }
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
