// @ts-check
// Page for a device that was deleted or never existed.

import { fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { has, language, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';

/** @typedef {import('../api.js').Refusal} Refusal */
/** @typedef {import('../api.js').Problem} Problem */

/**
 * Content of the page for a missing device.
 * @param {HTMLElement} page @param {Refusal} refusal @param {(Node | null)[]} rest further content
 */
export function drawRefusal(page, { status, problem, message }, ...rest) {
  const gone = status === 410;
  const title = gone
    ? translate('gone.title')
    : status === 404 || status === 400 ? translate('missing.title') : translate('list.trouble');
  document.title = `${title} · ${instanceName()}`;
  fill(page, h('div', { class: 'refusal' },
    h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon(gone ? 'trash' : 'question')),
    h('h1', { tabindex: '-1' }, title),
    ...(gone
      ? goneWords(problem)
      : [h('p', {}, status === 404 || status === 400 ? translate('missing.card') : message)]),
    h('a', { class: 'button primary', href: '/' }, icon('search'), translate('missing.search'))), ...rest);
}

/**
 * The role that deleted the device, the day and the reason.
 * @param {Problem} problem
 */
function goneWords(problem) {
  const day = formatDay(problem.deleted_at, language());
  const role = String(problem.deleted_by ?? '');
  const who = has(`gone.role.${role}`) ? translate(`gone.role.${role}`) : role;
  const reason = String(problem.reason ?? '');
  return [
    day && who ? h('p', {}, translate('gone.when', { day, role: who })) : h('p', {}, translate('gone.card')),
    reason
      ? h('p', {},
        translate('gone.reason', {
          reason: has(`gone.reason.${reason}`) ? translate(`gone.reason.${reason}`) : reason.replace(/_/g, ' '),
        }))
      : null,
    problem.merged_into
      ? h('p', {}, translate('gone.merged'), ' ',
        h('a', { href: `/devices/${encodeURIComponent(problem.merged_into)}` }, translate('gone.merged.link')))
      : null,
  ];
}
