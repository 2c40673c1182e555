// @ts-check
// The page of the user’s own organisation: register, prove control of the domain, edit, leave.

import { getJSON, send } from '../api.js';
import { dayWords } from '../choices/words.js';
import { ask } from '../dialog.js';
import { byId, fill, h, icon } from '../dom.js';
import { Form } from '../forms/form.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { announce, toast } from '../page/notices.js';
import { onSession, refreshSession, session, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { label, scheme } from '../taxonomies.js';
import { followOperator } from '../watches/follow.js';
import { attempt, showLost, toOperators, toSignIn } from './lost.js';
import { isChecked, way } from './organisation.js';
import { checkPart } from './own-check.js';
import { ownDevicesPart } from './own-devices.js';
import { organisationFields } from './own-fields.js';
import { lettersPart } from './own-letters.js';

/** @typedef {import('./organisation.js').Organisation} Organisation */

const MINE = '/api/operators/mine';
const SYMBOLS = { registered: 'draft', checked: 'shield', approved: 'check', refused: 'close' };
/** Fields that the approval verified, and which therefore cannot be edited. */
const CHECKED = ['name', 'kind', 'domain'];
/** @type {Record<string, string>} */
const LOOKS = { done: 'done', now: 'now', ahead: 'ahead', failed: 'now choice-refused' };

async function show() {
  const account = (await whenSession())?.account ?? null;
  document.title = `${translate('organisation.title')} · ${instanceName()}`;
  if (!account) {
    return welcome(toSignIn(),
      h('a', { class: 'button', href: `/sign-up?then=${encodeURIComponent('/operators/register')}` },
        icon('account-new'), translate('menu.sign_up')));
  }
  if (!account.confirmed) {
    return welcome(h('a', { class: 'button primary', href: '/account' }, icon('mail'),
      translate('organisation.confirm_first')));
  }
  await scheme('operator_kinds').catch(() => null);
  return draw(await getJSON(MINE));
}

/**
 * The benefits and the requirements of registering.
 * @param {...Node} ways
 */
function welcome(...ways) {
  fill(byId('content'),
    h('div', { class: 'ledger' }, head(),
      h('section', { class: 'paper' }, what(), h('p', {}, translate('organisation.needs_account')),
        h('div', { class: 'form-acts' }, ...ways))));
}

function head() {
  return h('header', { class: 'ledger-head' }, h('h1', { tabindex: '-1' }, translate('organisation.title')),
    h('p', { class: 'lead' }, translate('organisation.lead')));
}

function what() {
  return h('ol', { class: 'ledger-how' },
    ...['register', 'check', 'claim', 'answer'].map((part) => h('li', {}, translate(`organisation.how.${part}`))));
}

/** @param {Organisation | null} organisation */
function draw(organisation) {
  if (!organisation) {
    fill(byId('content'), h('div', { class: 'ledger' }, head(), h('section', { class: 'paper' }, what()),
      h('section', { class: 'paper', 'aria-labelledby': 'register-title' },
        h('h2', { id: 'register-title' }, translate('operators.register')), registration())));
    return;
  }
  const { state } = organisation;
  fill(byId('content'), h('div', { class: 'ledger' },
    h('header', { class: 'ledger-head' },
      h('h1', { tabindex: '-1', class: 'said' }, organisation.name),
      h('p', { class: 'lead' }, translate(`organisation.state.${state}`)),
      organisation.reason
        && h('p', {}, `${translate('event.reason')}: `, h('span', { class: 'said' }, organisation.reason)),
      state === 'approved' && h('div', { class: 'form-acts' },
        h('a', { class: 'button primary', href: '/operator' }, icon('mail'), translate('inbox.title')),
        h('a', { class: 'button', href: `/operators/${organisation.id}` }, icon('eye'),
          translate('organisation.public')),
        followOperator(organisation.name, translate('organisation.follow')))),
    h('ol', { class: 'steps', 'aria-label': translate('organisation.way') },
      ...way(organisation).map(({ step, at, look }) => h('li', {
        class: `step step-${LOOKS[look]}`, 'aria-current': look === 'now' ? 'step' : null,
      }, h('span', { class: 'step-mark', 'aria-hidden': 'true' }, icon(SYMBOLS[step])),
      h('span', { class: 'step-words' }, translate(`organisation.step.${step}`),
        look === 'ahead' && h('span', { class: 'visually-hidden' }, ` (${translate('ledger.ahead')})`),
        at && h('small', {}, dayWords(at)))))),
    state === 'waiting' && !isChecked(organisation) && checkPart(organisation, again),
    state === 'waiting' && isChecked(organisation)
      && h('section', { class: 'paper' }, h('p', {}, translate('organisation.wait'))),
    state === 'approved' && ownDevicesPart(organisation),
    details(organisation), lettersPart(organisation), leaving(organisation)));
}

async function again() {
  await attempt(show, refused);
  document.querySelector('h1')?.focus();
}

function registration() {
  // The page of an operator that devices name leads here with its name.
  const name = new URLSearchParams(location.search).get('name')?.trim().slice(0, 200) ?? '';
  const fields = organisationFields(null, name);
  return new Form({
    fields, submit: translate('organisation.send'), symbol: 'send',
    act: async (values) => {
      await send('POST', '/api/operators', { json: tidy(values) });
      await again();
      announce(translate('organisation.registered'));
    },
  }).element;
}

/**
 * Replaces empty values by null.
 * @param {Record<string, unknown>} values
 */
function tidy(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value || null]));
}

/** @param {Organisation} organisation */
function details(organisation) {
  const place = h('div', { class: 'opened' });
  const button = h('button', { type: 'button', class: 'button', 'aria-expanded': 'false', onclick: () => {
    const isOpen = button.getAttribute('aria-expanded') === 'true';
    button.setAttribute('aria-expanded', String(!isOpen));
    if (isOpen) return fill(place);
    const form = new Form({
      fields: organisationFields(organisation)
        .filter(({ name }) => organisation.state !== 'approved' || !CHECKED.includes(name)),
        submit: translate('organisation.save'), symbol: 'check',
      act: async (values) => {
        await send('PATCH', MINE, { json: tidy(values) });
        await again();
        toast(translate('organisation.saved'));
      },
    });
    fill(place,
      organisation.state === 'approved' && h('p', { class: 'section-note' }, translate('organisation.change.note')),
      form.element);
    /** @type {HTMLElement | null} */ (form.element.querySelector('input'))?.focus();
    return undefined;
  } }, icon('edit'), translate('organisation.change'));
  const rows = /** @type {[string, string | null][]} */ ([
    ['field.operator_kind', label('operator_kinds', organisation.kind)], ['organisation.domain', organisation.domain],
    ['organisation.website', organisation.website],
    ['field.contact', organisation.contact], ['field.data_protection_contact', organisation.data_protection_contact],
    ['field.privacy_policy', organisation.privacy_policy],
  ]).filter(([, value]) => value);
  return h('section', { class: 'paper', 'aria-labelledby': 'details-title' },
    h('h2', { id: 'details-title' }, translate('organisation.details')),
    h('dl', { class: 'facts' },
      ...rows.map(([key, value]) => h('div', {}, h('dt', {}, translate(key)), h('dd', { class: 'said' }, value)))),
    organisation.check?.note
      && h('p', { class: 'section-note' }, translate('organisation.check.note'), ' ',
        h('span', { class: 'said' }, organisation.check.note)),
    h('div', { class: 'form-acts' }, button), place);
}

/** @param {Organisation} organisation */
function leaving({ name }) {
  return h('section', { class: 'paper', 'aria-labelledby': 'leave-title' },
    h('h2', { id: 'leave-title' }, translate('organisation.leave')),
    h('p', {}, translate('organisation.leave.what')),
    h('div', { class: 'form-acts' }, h('button', { type: 'button', class: 'button grave', onclick: async () => {
      const answer = await ask({
        title: translate('organisation.leave.title', { name }), words: translate('organisation.leave.what'),
        answers: [
          { value: 'keep', label: translate('form.cancel') },
          { value: 'leave', label: translate('organisation.leave'), look: 'grave' },
        ],
      });
      if (answer !== 'leave') return;
      const isGone = await steadily(saidOver(byId('content')), () => send('DELETE', MINE),
        { again: translate('organisation.leave') });
      if (!isGone) return;
      await refreshSession().catch(() => null);
      await again();
      toast(translate('organisation.left'));
    } }, icon('trash'), translate('organisation.leave'))));
}

/** @param {import('../api.js').Refusal} refusal */
function refused(refusal) {
  showLost({ title: translate('list.trouble'), words: refusal.message, symbol: 'warning' }, toOperators());
}

startShell().then(async () => {
  byId('back').setAttribute('href', '/operators');
  fill(byId('back'), icon('back'), translate('operators.title'));
  await attempt(show, refused);
  const whoIs = () => `${session()?.account.id} ${session()?.account.confirmed}`;
  let who = whoIs();
  onSession(() => {
    if (whoIs() !== who) attempt(show, refused);
    who = whoIs();
  });
});
