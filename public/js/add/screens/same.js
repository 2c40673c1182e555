// @ts-check
// Screen with records that may describe the same device, shown before a duplicate is created.

import { readDevice } from '../../devices/device.js';
import { displayName, prepareName } from '../../devices/name.js';
import { marker, statusBadge } from '../../devices/terms.js';
import { h, icon } from '../../dom.js';
import { precisionOf } from '../../drafts/draft.js';
import { newId } from '../../fields/field.js';
import { textField } from '../../fields/text.js';
import { formatDay, formatDistance } from '../../format.js';
import { language, translate } from '../../i18n.js';
import { categoryIcon, label } from '../../taxonomies.js';
import { findLikely } from '../likely.js';
import { sendNow } from '../send.js';

/** @typedef {import('../wizard.js').Wizard} Wizard */
/** @typedef {import('../wizard.js').Screen} Screen */
/** @typedef {import('../likely.js').Likely} Likely */

const REASONS = ['beside', 'other_way', 'other_kind', 'other_floor'];
/** Reasons for positions that are too coarse to compare. */
const REASONS_AFAR = ['other_spot', 'other_home'];
const CLOSE = 18.5; // zoom level that shows devices next to each other
const MOST = 500; // characters of a reason

/**
 * @param {Wizard} wizard
 * @returns {Promise<Screen>}
 */
export async function sameScreen(wizard) {
  const told = candidates(wizard.draft.trouble?.candidates ?? []);
  const found = told.length ? told : (await findLikely(wizard.draft)).same;
  await Promise.all(found.map(({ device }) => prepareName(device)));
  const isExact = precisionOf(wizard.draft) === 'exact';
  const title = newId('reason');
  /** @param {string} words why the device is another one */
  const insist = (words) => {
    wizard.update((draft) => ({ ...draft, different: words, others: found.map((one) => one.device.id) }));
    const wasRefused = wizard.draft.trouble?.status === 409;
    if (wasRefused) wizard.update((draft) => ({ ...draft, trouble: null }));
    goOn(wasRefused);
  };
  /** Back to the step that led here: sending, or the question after the category. */
  const goOn = (wasRefused = false) => {
    if (wasRefused || wizard.isSending) sendNow(wizard);
    else wizard.go('name');
  };
  const reasons = isExact ? REASONS : REASONS_AFAR;
  const own = textField({ value: '', labelledBy: title, changed: () => {} },
    { most: MOST, label: translate('same.reason.own') });
  const go = () => {
    if (!found.length) goOn();
    else if (own.check?.() ?? true) insist(String(own.value() ?? translate(`same.reason.${reasons[0]}`)));
  };
  return {
    title: translate(found.length ? 'same.title' : 'same.none'),
    hint: found.length ? translate(isExact ? 'same.hint' : 'same.hint.afar') : null,
    room: 'half',
    map: { sight: true, cell: !isExact, zoom: isExact ? CLOSE : undefined },
    body: [
      h('ul', { class: 'same-list' }, ...found.map((one) => candidate(wizard, one, isExact))),
      found.length > 0 && h('div', { class: 'same-other' },
        h('h3', { id: title }, translate('same.other')),
        h('div', { class: 'same-reasons' }, ...reasons.map((code) => h('button', {
          type: 'button', class: 'button', onclick: () => insist(translate(`same.reason.${code}`)),
        }, translate(`same.reason.${code}`)))),
        own.element),
    ],
    primary: {
      label: translate(found.length ? 'same.go_on' : 'add.next'), act: go, symbol: 'right',
    },
  };
}

/**
 * Similar devices found by the server: public positions with distances.
 * @param {import('../../drafts/draft.js').Candidate[]} list
 * @returns {Likely[]}
 */
function candidates(list) {
  return list.map((one) => ({
    device: readDevice({ id: one.id, geometry: one.geometry, properties: one }), metres: Number(one.distance) || 0,
  }));
}

/**
 * @param {Wizard} wizard
 * @param {Likely} one
 * @param {boolean} isExact whether the position is exact enough to show a distance
 */
function candidate(wizard, { device, metres }, isExact) {
  const seen = formatDay(device.lastConfirmed ?? device.updatedAt, language());
  return h('li', { class: 'same-card' },
    h('div', { class: 'same-head' }, marker(categoryIcon(device.category), device.status),
      h('div', {},
        h('h3', {}, displayName(device)),
        h('p', {}, label('categories', device.category)),
        h('p', { class: 'same-facts' }, statusBadge(device.status),
          isExact && h('span', {}, formatDistance(metres, language())),
          device.operator.name && h('span', {}, device.operator.name), seen && h('span', {}, seen)))),
    h('a', {
      class: 'button primary same-this',
      href: `/devices/${encodeURIComponent(device.id)}?say=present.confirm#claim-present`,
      onclick: (/** @type {MouseEvent} */ event) => forget(wizard, event),
    },
      icon('check'), translate('same.this')));
}

/**
 * Deletes the draft, because the device is on the map already. Leaves the page only after the
 * deletion.
 * @param {Wizard} wizard @param {MouseEvent} event
 */
async function forget(wizard, event) {
  const { href } = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  const leaves = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (leaves) event.preventDefault();
  await wizard.discard();
  if (leaves) location.assign(href);
}
