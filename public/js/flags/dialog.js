// @ts-check
// Dialog for reporting content to moderators: a reason and a note. A visitor without an account
// sees the link to the public report form.

import { send } from '../api.js';
import { openDialog } from '../dialog.js';
import { h, icon } from '../dom.js';
import { complaintOf } from '../fields/field.js';
import { textField } from '../fields/text.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { signInAddress } from '../page/trouble.js';
import { maybeSignedIn } from '../session.js';
import { MOST_NOTE, reasonList } from './reasons.js';

/** @typedef {import('./reasons.js').TargetType} TargetType */
/** @typedef {{type: TargetType, id: string, device?: string}} Target `device`: the device that a photo belongs to */

/**
 * Button that opens the dialog.
 * @param {Target} target @param {string} words
 */
export function flagButton(target, words) {
  return h('button', { type: 'button', class: 'button', onclick: () => openFlag(target) }, icon('flag'), words);
}

/** @param {Target} target */
export function openFlag(target) {
  if (maybeSignedIn()) askWhy(target);
  else twoWays(target);
}

/**
 * URL of the report form for visitors without an account.
 * @param {Target} target
 */
function reportAddress(target) {
  const query = new URLSearchParams();
  query.set(target.type === 'account' ? 'person' : target.type, target.id);
  if (target.type === 'photo' && target.device) query.set('device', target.device);
  return `/report?${query}`;
}

/** @param {Target} target */
function twoWays(target) {
  openDialog({
    title: translate(`flag.title.${target.type}`),
    body: [
      h('p', {}, translate('flag.two_ways')),
      h('a', { class: 'button primary', href: reportAddress(target) }, icon('flag'), translate('flag.without')),
      h('a', { class: 'button', href: signInAddress() }, icon('sign-in'), translate('menu.sign_in')),
    ],
  });
}

/** @param {Target} target */
function askWhy(target) {
  openReasons({
    title: translate(`flag.title.${target.type}`), words: translate('flag.what_happens'), most: MOST_NOTE,
    reasons: (chosen) => reasonList(target.type, chosen),
    act: (reason, note) => send('POST', '/api/flags', {
      json: { target: { type: target.type, id: target.id }, reason, ...(note ? { note } : {}) },
    }),
  });
}

/**
 * The dialog that asks for a reason and a note.
 * @param {object} given
 * @param {string} given.title @param {string} given.words what happens with it
 * @param {number} given.most characters of the note
 * @param {(chosen: (reason: string) => void) => HTMLElement} given.reasons makes the radio buttons
 * @param {(reason: string, note: string | null) => Promise<unknown>} given.act sends it
 * @param {() => void} [given.done] called after it was sent
 */
export function openReasons({ title, words, most, reasons: make, act, done }) {
  /** @type {string | null} */
  let reason = null;
  /** @type {string | null} */
  let said = null;
  const reasons = make((chosen) => {
    reason = chosen;
    complaint.say(null);
  });
  const complaint = complaintOf(reasons);
  const note = textField({ value: '', labelledBy: '', changed: (value) => { said = value; } }, {
    most, long: true, label: translate('flag.note'),
  });
  const trouble = h('p', { class: 'complaint', role: 'alert' });
  trouble.hidden = true;
  const go = /** @type {HTMLButtonElement} */ (h('button', { type: 'button', class: 'button primary', onclick: submit },
    icon('flag'), translate('flag.send')));
  const dialog = openDialog({
    title, body: [h('p', {}, words), reasons, complaint.element, note.element, trouble], foot: [go],
  });
  async function submit() {
    const chosen = reason;
    if (!chosen) {
      complaint.say(translate('flag.choose'));
      reasons.querySelector('input')?.focus();
      return;
    }
    if (go.disabled || note.check?.() === false) return;
    go.disabled = true;
    const isSent = await steadily(saidIn(trouble), () => act(chosen, said));
    go.disabled = false;
    if (!isSent) return;
    dialog.close();
    toast(translate('flag.thanks'));
    done?.();
  }
}
