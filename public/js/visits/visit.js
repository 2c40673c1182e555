// @ts-check
// A visit that the reader has accepted or planned: the way there, what was found, and giving it back.

import { send } from '../api.js';
import { say } from '../claims/say.js';
import { displayName } from '../devices/name.js';
import { editAddress } from '../devices/tools.js';
import { ask } from '../dialog.js';
import { h, icon } from '../dom.js';
import { formatMoment } from '../format.js';
import { language, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { openAddPhotos } from '../photos/add.js';
import { routesAddress } from '../routes/address.js';
import { actButton, deviceHead, openPlan, openVisitFlag, reasonChips, streetNote } from './parts.js';
import { addressOf, asDevice, geoAddress, OBSTACLES } from './visits.js';

/** @typedef {import('./visits.js').Visit} Visit */
/** @typedef {import('../claims/claims.js').Verdict} Verdict */

/**
 * @param {Visit} visit @param {(focus?: string) => Promise<unknown>} changed called after each change
 */
export function visitCard(visit, changed) {
  const { device, may } = visit;
  const titleId = `visit-${visit.id}`;
  const name = device ? displayName(asDevice(device)) : translate('visit.device_gone');
  const post = (/** @type {string} */ act, /** @type {object} */ json = {}) => (
    send('POST', `${addressOf(visit.id)}/${act}`, { json }));
  const close = async (/** @type {string} */ outcome) => post('outcome', { outcome });
  const finished = async () => {
    toast(translate('visit.reported'));
    await changed();
  };
  const element = h('section', { class: 'paper visit-card', 'aria-labelledby': titleId, 'data-visit': visit.id },
    deviceHead(device, 'h3', titleId),
    reasonChips([visit.reason]),
    h('p', { class: 'visit-left' }, icon('clock'), h('span', {}, whenWords(visit))),
    visit.from_street ? streetNote() : h('p', { class: 'section-note' }, translate('visit.rule')),
    h('div', { class: 'visit-acts' },
      device && h('a', { class: 'button', href: geoAddress(device) }, icon('compass'),
        translate('visit.navigate'), h('span', { class: 'visually-hidden' }, `: ${name}`)),
      device && h('a', {
        class: 'button', href: routesAddress('to', asDevice(device).position, name),
      }, icon('eye'), translate('routes.quiet_there'), h('span', { class: 'visually-hidden' }, `: ${name}`)),
      may.includes('plan') && h('button', {
        type: 'button', class: 'button',
        onclick: () => openPlan(name, (planned) => post('plan', { planned_for: planned }), async () => {
          toast(translate('visit.planned'));
          await changed(visit.id);
        }),
      }, icon('clock'), translate(visit.planned_for ? 'visit.replan' : 'visit.plan')),
      may.includes('cancel') && actButton({
        key: 'visit.cancel', symbol: 'restore', of: name, isRepeatable: false,
        act: () => post('cancel'), done: async () => {
          toast(translate('visit.cancelled'));
          await changed();
        },
      }),
      may.includes('flag') && h('button', {
        type: 'button', class: 'button', onclick: () => openVisitFlag(visit, () => changed()),
      }, icon('flag'), translate('visit.flag'))),
    may.includes('report') && device ? report(visit, { close, finished, changed }) : null);
  return element;
}

/** @param {Visit} visit */
function whenWords({ planned_for: planned, due_at: due }) {
  if (planned) return translate('visit.when.planned', { time: formatMoment(planned, language()) });
  return due ? translate('visit.when.due', { time: formatMoment(due, language()) }) : translate('visit.when.now');
}

/**
 * The question on site. The answer goes the way of every answer, and then closes the visit.
 * @param {Visit} visit
 * @param {{close: (outcome: string) => Promise<unknown>, finished: () => Promise<void>,
 *   changed: (focus?: string) => Promise<unknown>}} acts
 */
function report(visit, { close, finished }) {
  const { id, device } = visit;
  if (!device) return null;
  const questionId = `question-${id}`;
  const tell = (/** @type {Verdict} */ verdict, /** @type {string} */ outcome) => async () => {
    // Saying the same twice is safe, so the visit can be closed in a second attempt.
    await say(device.id, { claim: 'present', verdict, basis: 'seen' });
    await close(outcome);
  };
  const answer = (/** @type {string} */ key, /** @type {string} */ symbol, /** @type {() => Promise<unknown>} */ act,
    look = '') => actButton({ key, symbol, look, act, done: finished });
  const isAboutNotice = visit.reason === 'photo_notice';
  const photo = h('button', {
    type: 'button', class: isAboutNotice ? 'button primary' : 'button', onclick: () => openAddPhotos({
      device: device.id, replaces: null, sent: async (count) => {
        if (!count) return;
        toast(translate('photos.added'));
        await askWhetherDone();
      },
    }),
  }, icon('photo'), translate('photos.add'));
  const askWhetherDone = async () => {
    const reply = await ask({
      title: translate('visit.photo_done'), words: translate('visit.photo_done.words'),
      answers: [
        { value: 'yes', label: translate('visit.there'), look: 'primary' },
        { value: 'no', label: translate('visit.not_yet') },
      ],
    });
    if (reply !== 'yes') return;
    there.click();
  };
  const there = answer('visit.there', 'check', tell('confirm', 'confirmed'), isAboutNotice ? '' : 'primary');
  const corrected = answer('visit.corrected', 'check', () => close('changed'));
  return h('div', { class: 'visit-report', role: 'group', 'aria-labelledby': questionId },
    h('h4', { id: questionId }, translate(isAboutNotice ? 'visit.question.photo' : 'still.title')),
    h('div', { class: 'visit-acts' },
      ...(isAboutNotice ? [photo, there] : [there]),
      answer('visit.gone', 'close', tell('dispute', 'gone')),
      isAboutNotice ? null : photo),
    h('details', {}, h('summary', {}, translate('visit.differs')),
      h('p', { class: 'section-note' }, translate('visit.differs.how')),
      h('div', { class: 'visit-acts' },
        h('a', { class: 'button', href: editAddress(device.id) }, icon('edit'), translate('walk.correct')), corrected)),
    h('details', {}, h('summary', {}, translate('visit.obstacle')),
      h('div', { class: 'visit-acts' }, ...OBSTACLES.map((outcome) => (
        answer(`visit.outcome.${outcome}`, 'warning', () => close(outcome)))))));
}
