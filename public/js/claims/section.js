// @ts-check
// The four claims on the page of a device: results, and two taps to add a statement.

import { fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { isBusy, saidIn, steadily, whileBusy } from '../forms/steadily.js';
import { glossaryWords, termButton } from '../glossary/definition.js';
import { language, plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { maybeSignedIn, session } from '../session.js';
import { BASES, ownAnswer } from './claims.js';
import { say } from './say.js';
import { signInToSay } from './sign-in.js';

/** @typedef {import('./claims.js').Claim} Claim */
/** @typedef {import('./claims.js').Verdict} Verdict */
/**
 * @typedef {object} ClaimsContext
 * @property {string} id id of the device
 * @property {string} today ISO day
 * @property {(focus: string) => Promise<void>} said called after a statement: reloads the device and moves the focus to
 *   the element with the given id
 */

/**
 * The claims; folded into one line while there is no answer to any of them.
 * @param {Claim[]} claims
 * @param {ClaimsContext} context
 * @param {{claim: string, verdict: Verdict} | null} asked question to open at once
 */
export function claimList(claims, context, asked = null) {
  const list = h('ul', { class: 'claims' }, ...claims.map((claim) => (
    claimItem(claim, context, asked?.claim === claim.claim ? asked.verdict : null))));
  if (claims.some(({ confirmations, disputes, mine }) => confirmations || disputes || mine)) return list;
  return h('details', { class: 'claims-none', open: asked !== null },
    h('summary', {}, translate('claim.none', { count: String(claims.length) })), list);
}

/** @param {Claim} claim @param {ClaimsContext} context @param {Verdict | null} open */
function claimItem(claim, context, open) {
  const id = `claim-${claim.claim}`;
  const how = h('div', { class: 'claim-how', id: `${id}-how` });
  how.hidden = true;
  /** @type {Record<Verdict, HTMLElement>} */
  const buttons = {
    confirm: verdictButton(claim, 'confirm', () => toggle('confirm')),
    dispute: verdictButton(claim, 'dispute', () => toggle('dispute')),
  };
  /** @type {Verdict | null} */
  let shown = null;
  /** @param {Verdict} verdict */
  function toggle(verdict) {
    shown = shown === verdict ? null : verdict;
    for (const [name, button] of Object.entries(buttons)) button.setAttribute('aria-expanded', String(name === shown));
    how.hidden = shown === null;
    if (shown) fill(how, howDoYouKnow(claim, shown, context));
  }
  if (open) toggle(open);
  return h('li', { class: 'claim', id, tabindex: '-1', 'aria-labelledby': `${id}-name` },
    h('div', { class: 'claim-head' },
      h('h3', { class: 'claim-name', id: `${id}-name` }, translate(`claim.${claim.claim}`)),
      h('span', { class: `verdict verdict-${claim.verdict}` },
        h('span', { class: 'verdict-shape', 'aria-hidden': 'true' }), translate(`verdict.${claim.verdict}`))),
    saidWords(claim),
    staleWords(claim, context.today),
    mineWords(claim),
    h('div', { class: 'claim-acts', role: 'group', 'aria-labelledby': `${id}-name` }, buttons.confirm, buttons.dispute),
    how);
}

/** @param {Claim} claim @param {Verdict} verdict @param {() => void} act */
function verdictButton(claim, verdict, act) {
  return h('button', {
    type: 'button', class: `button claim-${verdict} ${claim.mine === verdict ? 'is-mine' : ''}`.trim(),
    'aria-expanded': 'false', 'aria-controls': `claim-${claim.claim}-how`, onclick: act,
  }, icon(verdict === 'confirm' ? 'check' : 'close'), translate(`verdict.${verdict}`));
}

/**
 * The answers that count. An answer of the user that does not count yet is described by `mineWords` alone, so that the
 * page does not show «no answers» next to an answer of the user.
 * @param {Claim} claim
 */
function saidWords({ confirmations, disputes, basis, lastAt, mine }) {
  if (!confirmations && !disputes) return mine ? null : h('p', { class: 'claim-said' }, translate('claim.nobody'));
  const people = [
    confirmations && plural('claim.confirmations', confirmations), disputes && plural('claim.disputes', disputes),
  ].filter(Boolean).join(', ');
  const day = formatDay(lastAt, language());
  return h('p', { class: 'claim-said' },
    ...[people, ...basis.map((code) => termButton('bases', code)), day && translate('claim.last', { day })]
      .filter(Boolean)
      .flatMap((part, index) => (index ? [' · ', part] : [part])));
}

/**
 * The user’s own answer: whether it counts, and what follows from it.
 * @param {Claim} claim
 */
function mineWords(claim) {
  const { mine } = claim;
  if (!mine) return null;
  const next = ownAnswer(claim) === 'counted' ? `claim.next.${mine}`
    : session()?.account.new ? 'claim.mine.waits' : 'claim.mine.author';
  return h('div', { class: 'claim-mine' }, icon('account'),
    h('div', {}, h('p', {}, translate(`claim.mine.${mine}`)), h('p', { class: 'section-note' }, translate(next))));
}

/** @param {Claim} claim @param {string} today */
function staleWords({ staleOn }, today) {
  const day = formatDay(staleOn, language());
  if (!day || !staleOn) return null;
  return h('p', { class: 'section-note' }, translate(staleOn <= today ? 'claim.stale_since' : 'claim.stale', { day }));
}

/**
 * The second tap: the source of the knowledge. A visitor signs in first and returns to this
 * question.
 * @param {Claim} claim @param {Verdict} verdict @param {ClaimsContext} context
 */
function howDoYouKnow(claim, verdict, context) {
  if (!maybeSignedIn()) return signInFirst(claim, verdict, context);
  const title = `claim-${claim.claim}-question`;
  const note = /** @type {HTMLTextAreaElement} */ (h('textarea', {
    class: 'text-input', rows: '2', maxlength: '500', id: `${title}-note`,
  }));
  const trouble = h('p', { class: 'complaint', role: 'alert' });
  trouble.hidden = true;
  // A second statement of the same user replaces the first, so sending it twice is safe.
  const choose = (/** @type {string} */ basis) => whileBusy(bases.querySelectorAll('button'), async () => {
    const isSaid = await steadily(saidIn(trouble),
      () => say(context.id, { claim: claim.claim, verdict, basis, note: note.value.trim() || null }));
    if (!isSaid) return;
    toast(translate('claim.thanks'));
    await context.said(`claim-${claim.claim}`);
  });
  const bases = h('div', { class: 'claim-bases' }, ...BASES.map((basis) => h('button', {
    type: 'button', class: 'button', onclick: (/** @type {Event} */ event) => {
      if (!isBusy(/** @type {HTMLElement} */ (event.currentTarget))) choose(basis);
    },
  }, translate(basis === 'seen' && verdict === 'dispute' ? 'claim.basis.looked' : `claim.basis.${basis}`))));
  return [
    h('p', { class: 'claim-question', id: title },
      translate(verdict === 'confirm' ? 'claim.how.confirm' : 'claim.how.dispute')),
    h('p', { class: 'section-note' }, translate(`claim.next.${verdict}`)),
    h('div', { role: 'group', 'aria-labelledby': title }, bases),
    h('p', { class: 'section-note' }, glossaryWords('evidence_basis')),
    trouble,
    h('details', { class: 'claim-note' },
      h('summary', {}, translate('claim.note.add')),
      h('label', { for: `${title}-note` }, translate('claim.note')), note),
  ];
}

/** @param {Claim} claim @param {Verdict} verdict @param {ClaimsContext} context */
function signInFirst(claim, verdict, context) {
  return [h('p', {}, translate(`claim.next.${verdict}`)), signInToSay(context.id, claim.claim, verdict)];
}

/** Short form of the rule for the overall status. */
export function statusRule() {
  return h('details', { class: 'rule' },
    h('summary', {}, translate('rule.title')),
    h('ul', { class: 'points' },
      ...['people', 'dispute', 'denied', 'own', 'changed', 'stale'].map((part) => h('li', {},
        translate(`rule.${part}`)))));
}
