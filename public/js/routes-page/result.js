// @ts-check
// The two ways side by side: length, time, devices, what they collect and who runs them; and the way step by step.

import { h, icon } from '../dom.js';
import { openRequests } from '../exposure/ask.js';
import { countPassed } from '../exposure/count.js';
import { categoryList, kindBars, operatorList } from '../exposure/figures.js';
import { download } from '../forms/copy.js';
import { formatDistance, formatDuration, formatShare } from '../format.js';
import { has, language, plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { shareFile } from '../sharing/file.js';
import { ENDS, geoLink, gpxOf, withoutEnds } from './gpx.js';

/** @typedef {import('./engine.js').Answer} Answer */
/** @typedef {import('./engine.js').Route} Route */

/** @param {Route} route */
const passedOf = ({ passed }) => passed.map(({ sensor }) => sensor);

/** @param {number} seconds */
function timeWords(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return formatDuration(`PT${hours ? `${hours}H` : ''}${rest || !hours ? `${rest}M` : ''}`, language()) ?? '';
}

/**
 * @param {Answer} answer @param {import('../exposure/kinds.js').Mode} mode
 */
export function resultPart({ shortest, quiet }, mode) {
  const isSame = quiet === shortest || (quiet.metres === shortest.metres && quiet.exposure === shortest.exposure);
  const fewer = shortest.exposure > 0 ? 1 - quiet.exposure / shortest.exposure : 0;
  const sentence = !shortest.passed.length ? translate('routes.none_passed')
    : isSame ? translate('routes.same')
      : translate('routes.gain', {
        less: formatShare(Math.round(fewer * 100) / 100, language()),
        longer: formatDistance(Math.max(0, quiet.metres - shortest.metres), language()),
      });
  return h('section', { class: 'paper', 'aria-labelledby': 'route-result' },
    h('h2', { id: 'route-result', tabindex: '-1' }, translate('routes.result')),
    h('p', { class: 'diary-sentence' }, sentence),
    h('div', { class: 'route-pair' },
      ...(isSame ? [] : [routeCard('quiet', quiet)]), routeCard(isSame ? 'only' : 'shortest', shortest)),
    h('p', { class: 'section-note' }, translate('routes.limits')),
    acts(quiet), stepsPart(quiet, mode));
}

/** @param {'quiet' | 'shortest' | 'only'} kind @param {Route} route */
function routeCard(kind, route) {
  const count = countPassed(passedOf(route));
  return h('article', { class: `route-card is-${kind}`, 'data-route': kind },
    h('h3', {}, h('span', { class: 'route-line', 'aria-hidden': 'true' }), translate(`routes.card.${kind}`)),
    h('p', { class: 'route-figures' }, h('strong', {}, formatDistance(route.metres, language())), ' · ',
      timeWords(route.seconds), ' · ', plural('exposure.devices', count.devices)),
    count.devices > 0 && categoryList(count),
    count.devices > 0 && h('details', { 'data-part': `${kind}-kinds` },
      h('summary', {}, translate('exposure.by_kind')), kindBars(count)),
    count.devices > 0 && h('details', { 'data-part': `${kind}-operators` },
      h('summary', {}, translate('exposure.by_operator')), operatorList(count)));
}

/** @param {Route} route */
function acts(route) {
  const cut = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', id: 'without-ends', checked: true }));
  const { operators } = countPassed(passedOf(route));
  const byID = new Map(route.passed.map(({ sensor }) => [sensor.id, sensor]));
  const line = () => {
    const shown = cut.checked ? withoutEnds([...route.line]) : route.line;
    if (!shown.length) toast(translate('routes.too_short', { distance: formatDistance(ENDS, language()) }));
    return shown;
  };
  const name = translate('routes.file_name');
  const file = (/** @type {Route['line']} */ shown) => new File([gpxOf(shown, name)], 'route.gpx', {
    type: 'application/gpx+xml',
  });
  const pass = (/** @type {(file: File) => unknown} */ to) => () => {
    const shown = line();
    if (shown.length) to(file(shown));
  };
  return h('div', { class: 'route-acts' },
    h('label', { class: 'check', for: cut.id }, cut,
      h('span', {}, translate('routes.without_ends', { distance: formatDistance(ENDS, language()) }))),
    h('div', { class: 'form-acts' },
      h('button', {
        type: 'button', class: 'button', 'data-act': 'gpx', onclick: pass((made) => download(made, made.name)),
      }, icon('download'), translate('routes.gpx')),
      'share' in navigator && h('button', {
        type: 'button', class: 'button', 'data-act': 'share', onclick: pass((made) => shareFile(made, name)),
      }, icon('share'), translate('routes.share')),
      h('a', { class: 'button', href: geoLink(route.line[route.line.length - 1]), 'data-act': 'geo' }, icon('external'),
        translate('routes.geo')),
      operators.length > 0 && h('button', {
        type: 'button', class: 'button', 'data-act': 'ask', 'aria-haspopup': 'dialog', onclick: () => openRequests(
          operators.map(({ operator, devices }) => {
            const sensor = byID.get(devices[0]);
            return {
              operator, device: devices[0], name: sensor?.name ?? '', category: sensor?.category ?? 'other',
              count: devices.length, moments: [],
            };
          })),
      }, icon('mail'), plural('routes.ask', operators.length))));
}

/** @param {Route} route @param {import('../exposure/kinds.js').Mode} mode */
function stepsPart({ directions }, mode) {
  let stops = 0;
  return h('details', { class: 'route-steps', 'data-part': 'steps' }, h('summary', {}, translate('routes.steps')),
    h('ol', {}, ...directions.map(({ turn, name, kind, metres, position }) => {
      if (turn === 'stop') stops += 1;
      const way = name || translate(has(`routes.way.${kind}`) ? `routes.way.${kind}` : 'routes.way.other');
      return h('li', { 'data-turn': turn },
        h('span', {}, translate(`routes.turn.${turn}`, { way, number: stops })), ' ',
        metres > 0 && h('small', {}, formatDistance(metres, language())), ' ',
        mode !== 'driving' && h('a', { href: geoLink(position), 'aria-label': translate('routes.geo.here', { way }) },
          'geo'));
    })));
}
