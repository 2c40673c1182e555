// @ts-check
// Screen with records that may describe the same device, shown before a duplicate is created.

import { readDevice } from '../../devices/device.js';
import { marker, statusBadge } from '../../devices/terms.js';
import { h, icon } from '../../dom.js';
import { precisionOf } from '../../drafts/draft.js';
import { answerButton } from '../../fields/answers.js';
import { newId } from '../../fields/field.js';
import { textField } from '../../fields/text.js';
import { formatDay, formatDistance } from '../../format.js';
import { language, translate } from '../../i18n.js';
import { categoryIcon, label } from '../../taxonomies.js';
import { findLikely } from '../likely.js';

/** @typedef {import('../wizard.js').Wizard} Wizard */
/** @typedef {import('../wizard.js').Screen} Screen */
/** @typedef {import('../likely.js').Likely} Likely */

const REASONS = ['beside', 'other_way', 'other_kind', 'other_floor'];
const REASONS_AFAR = ['other_home', 'other_spot']; // reasons for positions that are too coarse to compare
const MOST = 500; // characters of a reason

/**
 * @param {Wizard} wizard
 * @returns {Promise<Screen>}
 */
export async function sameScreen(wizard) {
  const told = candidates(wizard.draft.trouble?.candidates ?? []);
  const found = told.length ? told : await findLikely(wizard.draft);
  const name = newId('reason');
  const isExact = precisionOf(wizard.draft) === 'exact';
  const reasons = isExact ? REASONS : REASONS_AFAR;
  const known = reasons.find((code) => translate(`same.reason.${code}`) === wizard.draft.different);
  const own = textField({
    value: known ? '' : wizard.draft.different, labelledBy: name, changed: () => change(),
  }, { most: MOST, label: translate('same.reason.own') });
  const list = h('div', { class: 'answers answers-rows', role: 'radiogroup', 'aria-labelledby': name },
    ...reasons.map((code) => (
      answerButton('radio', name, { code, label: translate(`same.reason.${code}`) }, code === known))));
  const reason = () => {
    const box = list.querySelector('input:checked');
    const chosen = box instanceof HTMLInputElement ? translate(`same.reason.${box.value}`) : null;
    return [chosen, own.value()].filter(Boolean).join('. ') || null;
  };
  const change = () => {
    if (wizard.screen?.primary) wizard.screen.primary.off = !reason();
    wizard.drawFoot();
  };
  list.addEventListener('change', change);
  const other = h('details', { class: 'same-other', open: Boolean(wizard.draft.different) },
    h('summary', {}, icon('plus'), h('span', { id: name }, translate('same.other'))), list, own.element);
  const go = () => {
    const words = reason();
    if (!found.length) {
      wizard.go('name');
      return;
    }
    if (!words) {
      other.setAttribute('open', '');
      list.querySelector('input')?.focus();
      return;
    }
    if (own.check && !own.check()) return;
    wizard.update((draft) => ({ ...draft, different: words, others: found.map((one) => one.device.id) }));
    const wasRefused = wizard.draft.trouble?.status === 409;
    if (wasRefused) wizard.update((draft) => ({ ...draft, trouble: null }));
    wizard.go(wasRefused ? 'review' : 'name');
  };
  return {
    title: found.length ? translate('same.title') : translate('same.none'),
    hint: found.length ? translate(isExact ? 'same.hint' : 'same.hint.afar') : null,
    room: 'full',
    body: [
      h('ul', { class: 'same-list' }, ...found.map((one) => candidate(wizard, one, isExact))),
      found.length > 0 && other,
    ],
    primary: {
      label: translate(found.length ? 'same.go_on' : 'add.next'), act: go, symbol: 'right',
      off: found.length > 0 && !reason(),
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
        h('h3', {}, device.name),
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
