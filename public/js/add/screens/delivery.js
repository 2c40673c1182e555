// @ts-check
// Screen for the state of a draft in the outbox: sending, waiting, refused, or added.

import { fill, h, icon } from '../../dom.js';
import { nextStep, photoMended } from '../../drafts/delivery.js';
import { isEditable } from '../../drafts/draft.js';
import { formatTime } from '../../format.js';
import { language, plural, translate } from '../../i18n.js';
import { onSession, session, whenSession } from '../../session.js';
import { newID } from '../../unique.js';
import { questionOf } from '../questions.js';

/** @typedef {import('../wizard.js').Wizard} Wizard */
/** @typedef {import('../wizard.js').Screen} Screen */
/** @typedef {import('../wizard.js').Act} Act */
/** @typedef {import('../../drafts/draft.js').Draft} Draft */
/**
 * @typedef {object} Face
 * @property {string} mark
 * @property {string} title
 * @property {(Node | string | null | false)[]} words
 * @property {Act | null} primary
 * @property {Act | null} [secondary]
 * @property {boolean} [busy]
 */

/** @param {Draft} draft */
export function photoWords(draft) {
  return draft.photos.length ? plural('photo.count', draft.photos.length) : '';
}

/**
 * @param {Wizard} wizard
 * @returns {Promise<Screen>}
 */
export async function deliveryScreen(wizard) {
  await Promise.race([whenSession(), new Promise((resolve) => { setTimeout(resolve, 1_500); })]);
  const words = h('div', { class: 'delivery', role: 'status', 'aria-live': 'polite' });
  /** @type {Screen} */
  const screen = { title: '', hint: null, room: 'full', map: { cell: true }, body: [words], primary: null };
  const draw = () => {
    const face = wizard.sent ? there(wizard, wizard.sent) : faceOf(wizard);
    Object.assign(screen, { title: face.title, primary: face.primary, secondary: face.secondary ?? null });
    fill(words,
      h('span', { class: `delivery-mark ${face.busy ? 'is-busy' : ''}`, 'aria-hidden': 'true' }, icon(face.mark)),
      ...face.words);
    if (wizard.screen !== screen) return;
    wizard.frame.title.textContent = face.title;
    wizard.drawFoot();
  };
  const stop = onSession(draw);
  draw();
  return /** @type {Screen} */ (Object.assign(screen, {
    // A draft of a row goes after those before it, which may wait for another attempt.
    shown: () => (wizard.isLike ? wizard.context.wake() : wizard.context.deliver()),
    leave: stop,
    heard: () => {
      if (isSame(wizard.draft)) wizard.replace('same');
      else draw();
    },
  }));
}

/**
 * Adds a link to one more device while this one waits: the outbox sends all of them.
 * @param {Wizard} wizard @returns {Face}
 */
function faceOf(wizard) {
  const face = waitingFace(wizard);
  if (wizard.draft.stage !== 'waiting' || face.busy) return face;
  return {
    ...face, words: [...face.words,
      h('p', {}, h('button', { type: 'button', class: 'link-button', onclick: () => wizard.beginLike() },
        translate('delivery.there.another'))),
      h('p', { class: 'field-note' }, translate('delivery.there.another.note'))],
  };
}

/** @param {Wizard} wizard @returns {Face} */
function waitingFace(wizard) {
  const { draft } = wizard;
  if (draft.stage === 'refused') return refused(wizard);
  const rejected = draft.photos.filter((photo) => photo.state === 'refused');
  if (draft.stage === 'photos' && rejected.length && draft.photos.every((photo) => photo.state !== 'waiting')) {
    return photosRefused(wizard, rejected);
  }
  const next = nextStep(draft, session()?.account ?? null, Date.now());
  const edit = isEditable(draft)
    ? { label: translate('delivery.edit'), act: () => wizard.go('review'), symbol: 'edit' }
    : null;
  const close = { label: translate('delivery.close'), act: () => wizard.leave() };
  if (next.act === 'wait' && next.why === 'sign-in') return strangers(wizard, edit);
  if (next.act === 'wait' && next.why === 'confirm') {
    return {
      mark: 'clock', title: translate('delivery.confirm.title'), primary: close, secondary: edit,
      words: [
        h('p', { class: 'lead' }, translate('delivery.confirm')), h('p', {}, translate('delivery.confirm.more')),
        h('p', {}, h('a', { href: '/account' }, translate('delivery.confirm.account'))),
      ],
    };
  }
  if (next.act === 'wait' && next.why !== 'time' && next.why !== 'limit') {
    const why = next.why === 'account' ? 'other' : next.why;
    return {
      mark: 'warning', title: translate(`delivery.${why}.title`), primary: close,
      words: [h('p', { class: 'lead' }, translate(`delivery.${why}`))],
    };
  }
  if (next.act === 'wait' && next.why === 'limit') {
    return {
      mark: 'clock', title: translate('delivery.limit.title'), primary: close, secondary: edit,
      words: [
        h('p', { class: 'lead' }, translate('delivery.limit', { time: formatTime(next.until ?? 0, language()) })),
        h('p', {}, translate('delivery.limit.more')),
      ],
    };
  }
  if (next.act === 'wait') {
    return {
      mark: 'offline', title: translate('delivery.time.title'), primary: close,
      secondary: { label: translate('outage.retry'), act: () => wizard.context.wake() },
      words: [
        h('p', { class: 'lead' }, translate('delivery.time')),
        h('p', {}, translate(wizard.context.drafts.isLasting ? 'delivery.time.more' : 'delivery.time.here')),
      ],
    };
  }
  return {
    mark: 'send', busy: true, title: translate('delivery.sending.title'), primary: null,
    words: [h('p', { class: 'lead' }, draft.stage === 'photos' ? translate('delivery.photos', {
      sent: draft.photos.filter((photo) => photo.state === 'sent').length + 1, all: draft.photos.length,
    }) : translate('delivery.sending'))],
  };
}

/**
 * Signing in is the last step. The draft remains stored.
 * @param {Wizard} wizard @param {Act | null} edit @returns {Face}
 */
function strangers(wizard, edit) {
  const then = `?then=${encodeURIComponent(`/?add=${wizard.draft.id}`)}`;
  return {
    mark: 'account', title: translate('delivery.account.title'), primary: null, secondary: edit,
    words: [
      h('p', { class: 'lead' }, translate('delivery.account')),
      h('ul', { class: 'points' },
        ...['draft', 'mail', 'name'].map((point) => h('li', {}, translate(`delivery.account.${point}`)))),
      h('div', { class: 'delivery-links' },
        h('a', { class: 'button primary', href: `/sign-up${then}` }, translate('delivery.sign_up')),
        h('a', { class: 'button', href: `/sign-in${then}` }, translate('delivery.sign_in'))),
    ],
  };
}

/**
 * Whether the server refused the draft because of similar devices.
 * @param {Draft} draft
 */
function isSame({ stage, trouble }) {
  return stage === 'refused' && trouble?.status === 409 && trouble.candidates.length > 0;
}

/** @param {Wizard} wizard @returns {Face} */
function refused(wizard) {
  const { trouble } = wizard.draft;
  const same = isSame(wizard.draft);
  const first = trouble?.errors.map((error) => questionOf(error.field)).find((id) => id !== null) ?? null;
  const act = same ? { label: translate('delivery.refused.same'), act: () => wizard.go('same'), symbol: 'right' }
    : { label: translate('delivery.refused.mend'), act: () => mend(wizard, first), symbol: 'edit' };
  return {
    mark: same ? 'question' : 'warning', title: translate(same ? 'same.title' : 'delivery.refused.title'), primary: act,
    words: [
      h('p', { class: 'lead' }, same ? translate('delivery.refused.same.words') : trouble?.detail ?? ''),
      trouble && trouble.errors.length > 0
        && h('ul', { class: 'points' }, ...trouble.errors.map(({ field, detail }) => {
          const id = questionOf(field);
          return h('li', {},
            id
              ? h('button', { type: 'button', class: 'link-button', onclick: () => mend(wizard, id) },
                translate(`ask.${id}.short`))
              : field, `: ${detail}`);
        })),
      h('p', { class: 'field-note' }, translate('delivery.refused.kept')),
    ],
  };
}

/** @param {Wizard} wizard @param {string | null} id */
function mend(wizard, id) {
  wizard.returnTo = id ? 'review' : null;
  wizard.go(id ?? 'review');
}

/** @param {Wizard} wizard @param {import('../../drafts/draft.js').DraftPhoto[]} rejected @returns {Face} */
function photosRefused(wizard, rejected) {
  const out = async () => {
    for (const photo of rejected) {
      await wizard.context.drafts.removePicture(photo.id);
      wizard.draft = await wizard.context.drafts.change(wizard.draft.id, (draft) => photoMended(draft, photo.id, null))
        ?? wizard.draft;
    }
    await wizard.context.deliver();
  };
  const again = async () => {
    for (const photo of rejected) {
      await wizard.context.drafts.change(wizard.draft.id,
        (draft) => photoMended(draft, photo.id, { key: newID(), now: Date.now() }));
    }
    await wizard.context.deliver();
  };
  return {
    mark: 'photo', title: translate('delivery.photos_refused.title'),
    primary: { label: translate('delivery.photos_refused.leave'), act: out },
    secondary: { label: translate('outage.retry'), act: again },
    words: [
      h('p', { class: 'lead' }, translate('delivery.photos_refused')),
      h('ul', { class: 'points' },
        ...rejected.map((photo, index) => h('li', {},
          `${photo.alt || translate('photo.number', { number: index + 1 })}: ${photo.trouble ?? ''}`))),
    ],
  };
}

/** @param {Wizard} wizard @param {{device: string, name: string}} sent @returns {Face} */
function there(wizard, { device, name }) {
  return {
    mark: 'check', title: translate('delivery.there.title'),
    primary: { label: translate('delivery.there.another'), symbol: 'plus', act: () => wizard.beginLike() },
    secondary: { label: translate('delivery.there.map'), symbol: 'map', act: () => wizard.showOnMap(device) },
    words: [
      h('p', { class: 'lead' }, translate('delivery.there', { name })),
      h('p', { class: 'field-note' }, translate('delivery.there.another.note')),
      h('p', {}, h('button', { type: 'button', class: 'link-button', onclick: () => wizard.begin('new') },
        translate('delivery.there.different'))),
      wizard.draft.photos.length > 0 && h('p', {}, translate('delivery.there.photos')),
      h('p', {}, h('a', { href: `/devices/${encodeURIComponent(device)}` }, translate('delivery.there.page'))),
      h('p', {}, h('a', { href: '/lists/propose' }, translate('add.place.list'))),
    ],
  };
}
