// @ts-check
// A report without an account, for residents, operators and visitors.

import { connection, getJSON, Outage, Refusal, send } from '../api.js';
import { readDevice } from '../devices/device.js';
import { displayName, prepareName } from '../devices/name.js';
import { byId, fill, h, icon } from '../dom.js';
import { complaintOf } from '../fields/field.js';
import { textField } from '../fields/text.js';
import { MOST_NOTE, reasonList } from '../flags/reasons.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { language, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { parseTarget } from './target.js';

/** @typedef {import('./target.js').ReportTarget} ReportTarget */

async function start() {
  await startShell();
  document.title = `${translate('report.title')} · ${instanceName()}`;
  const target = parseTarget(location.search);
  if (!target) {
    drawLinkQuestion();
    return;
  }
  drawForm(target);
  if (target.device) nameDevice(target.device);
}

/** Asks for the link of the device if the address does not name one. */
function drawLinkQuestion() {
  /** @type {string} */
  let link = '';
  const field = textField({
    value: '', labelledBy: '', changed: (words) => { link = words ?? ''; }, settled: () => go(),
  }, { most: 300, label: translate('report.link'), placeholder: `${location.origin}/devices/…` });
  const go = () => {
    const found = /\/devices\/([0-9a-f-]{36})/.exec(link)?.[1] ?? (/^[0-9a-f-]{36}$/.test(link) ? link : null);
    if (!found) {
      field.complain(translate('report.link.wrong'));
      field.focus();
      return;
    }
    history.pushState(null, '', `/report?device=${found}`);
    const target = parseTarget(location.search);
    if (target) drawForm(target);
    nameDevice(found);
    document.querySelector('h1')?.focus();
  };
  fill(byId('content'), h('div', { class: 'form-page' },
    h('h1', { tabindex: '-1' }, translate('report.title')),
    h('p', { class: 'lead' }, translate('report.lead')),
    field.element,
    h('div', { class: 'form-acts' },
      h('button', { type: 'button', class: 'button primary', onclick: go }, translate('report.go'), icon('right')),
      h('a', { class: 'button', href: '/' }, icon('map'), translate('report.find')))));
}

/**
 * Shows the name of the device as soon as it is loaded.
 * @param {string} id
 * @returns {Promise<void>}
 */
async function nameDevice(id) {
  const place = byId('report-about');
  try {
    const device = readDevice(await getJSON(`/api/collections/devices/items/${encodeURIComponent(id)}`));
    await scheme('categories').catch(() => null);
    await prepareName(device);
    const link = h('a', { href: `/devices/${device.id}`, class: 'said' }, displayName(device));
    fill(place, translate('report.about'), ' ', link);
  } catch (error) {
    if (error instanceof Outage) return connection.recovered().then(() => nameDevice(id));
    fill(place,
      error instanceof Refusal && error.status === 410
        ? translate('gone.title')
        : error instanceof Refusal && error.status === 404 ? translate('report.unknown_device') : '');
  }
}

/** @param {ReportTarget} target */
function drawForm(target) {
  /** @type {{reason: string | null, note: string | null, email: string | null}} */
  const said = { reason: null, note: null, email: null };
  const reasons = reasonList(target.type, (reason) => {
    said.reason = reason;
    complaint.say(null);
  });
  const complaint = complaintOf(reasons);
  const note = textField({ value: '', labelledBy: '', changed: (words) => { said.note = words; } },
    { most: MOST_NOTE, long: true, label: translate('report.note') });
  const email = textField({ value: '', labelledBy: '', describedBy: 'report-email-why',
    changed: (words) => { said.email = words; } },
    { most: 254, type: 'email', label: translate('report.email'), autocomplete: 'email' });
  const refused = h('p', { class: 'complaint', role: 'alert' });
  refused.hidden = true;
  const go = /** @type {HTMLButtonElement} */ (h('button', { type: 'submit', class: 'button primary' }, icon('flag'),
    translate('report.send')));
  const form = h('form', { class: 'form-page', novalidate: true, onsubmit: submit },
    h('h1', { tabindex: '-1' }, translate('report.title')),
    h('p', { class: 'lead' }, translate('report.lead')),
    h('p', { id: 'report-about', class: 'report-about', 'aria-live': 'polite' }),
    reasons, complaint.element, note.element, email.element,
    h('p', { class: 'section-note', id: 'report-email-why' }, translate('report.email.why')),
    nextSteps(),
    refused,
    h('div', { class: 'form-acts' }, go));
  fill(byId('content'), form);

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    if (!said.reason) {
      complaint.say(translate('flag.choose'));
      reasons.querySelector('input')?.focus();
      return;
    }
    if (!said.note) {
      note.complain(translate('report.note.needed'));
      note.focus();
      return;
    }
    if (go.disabled || note.check?.() === false || email.check?.() === false) return;
    go.disabled = true;
    const isSent = await steadily(saidIn(refused), () => send('POST', '/api/reports', {
      json: {
        target: { type: target.type, id: target.id }, reason: said.reason, locale: language(),
        ...(said.note ? { note: said.note } : {}), ...(said.email ? { email: said.email } : {}),
      },
    }), { refused: complain });
    go.disabled = false;
    if (isSent) drawThanks(target, Boolean(said.email));
  }

  /**
   * Shows the errors next to the fields. Returns whether there were any.
   * @param {Refusal} refusal
   */
  function complain(refusal) {
    const faults = refusal.problem.errors ?? [];
    /** @type {Record<string, (words: string) => void>} */
    const places = { reason: complaint.say, note: note.complain, email: email.complain };
    const named = faults.filter(({ field }) => places[field]);
    for (const { field, detail } of named) places[field](detail);
    /** @type {Record<string, () => void>} */
    const focus = {
      reason: () => reasons.querySelector('input')?.focus(), note: note.focus, email: email.focus,
    };
    if (named[0]) focus[named[0].field]?.();
    return named.length > 0;
  }
}

function nextSteps() {
  return h('section', { class: 'next-steps', 'aria-labelledby': 'report-next' },
    h('h2', { id: 'report-next' }, translate('report.next.title')),
    h('ol', {}, ...['look', 'decide', 'answer', 'erase'].map((step) => h('li', {}, translate(`report.next.${step}`)))));
}

/** @param {ReportTarget} target @param {boolean} answered whether the reporter left an email address */
function drawThanks(target, answered) {
  fill(byId('content'), h('div', { class: 'refusal' },
    h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon('check')),
    h('h1', { tabindex: '-1' }, translate('report.thanks')),
    h('p', {}, translate(answered ? 'report.thanks.mail' : 'report.thanks.no_mail')),
    h('a', { class: 'button primary', href: target.device ? `/devices/${target.device}` : '/' },
      translate(target.device ? 'report.back' : 'missing.search'))));
  document.querySelector('h1')?.focus();
}

start();
