// @ts-check
// Joining and leaving a mapping day: one press for a signed-in user.

import { send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { selectField } from '../forms/fields.js';
import { isBusy, saidOver, steadily, whileBusy } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { signInAddress } from '../page/trouble.js';
import { session } from '../session.js';
import { addressOf } from './days.js';

/** @typedef {import('./days.js').MappingDay} MappingDay */

/**
 * @param {MappingDay} day
 * @param {(day: MappingDay) => void} changed
 */
export function participation(day, changed) {
  const place = h('div', { class: 'day-part stack' });
  if (!['approved', 'running'].includes(day.state)) return place;
  const account = session()?.account;
  if (!account) {
    fill(place, h('div', {}, h('a', { class: 'button primary', href: signInAddress() }, icon('sign-in'),
      translate('mapping_day.sign_in'))));
    return place;
  }
  const { participation: part } = day;
  const consent = /** @type {HTMLInputElement} */ (h('input', {
    type: 'checkbox', id: 'shows-name', checked: part?.shows_name ?? false,
  }));
  /** @param {HTMLElement} button @param {() => Promise<any>} work @param {string} said */
  const act = (button, work, said) => {
    if (isBusy(button)) return;
    whileBusy([button], async () => {
      /** @type {MappingDay | null} */
      let found = null;
      const isDone = await steadily(saidOver(button), async () => { found = (await work()).body; });
      if (!isDone || !found) return;
      changed(found);
      toast(translate(said));
    });
  };
  const team = teamField(day);
  const join = () => send('PUT', `${addressOf(day.id)}/participation`, {
    json: { shows_name: consent.checked, team: team?.value() || null },
  });
  const button = h('button', {
    type: 'button', class: `button ${part ? 'grave' : 'primary'}`, 'data-act': part ? 'leave' : 'join',
    onclick: () => {
      if (part) act(button, () => send('DELETE', `${addressOf(day.id)}/participation`), 'mapping_day.left');
      else act(button, join, day.full ? 'mapping_day.waits' : 'mapping_day.joined');
    },
  }, icon(part ? 'sign-out' : 'plus'),
  translate(part ? 'mapping_day.leave' : day.full ? 'mapping_day.wait' : 'mapping_day.join'));
  if (part) {
    for (const control of [consent, team?.control]) {
      control?.addEventListener('change', () => act(button, join, 'mapping_day.saved'));
    }
  }
  fill(place,
    h('p', { role: 'status' }, part?.state === 'joined' ? translate('mapping_day.is_joined')
      : part ? translate('mapping_day.is_waiting', { position: part.position ?? 1 }) : ''),
    h('div', {}, button), team?.element,
    h('label', { class: 'check', for: 'shows-name' }, consent, h('span', {}, translate('mapping_day.shows_name'))),
    h('p', { class: 'field-note' }, translate('mapping_day.privacy')));
  return place;
}

/** @param {MappingDay} day */
function teamField({ teams, participation: part }) {
  if (!teams.length) return null;
  return selectField({
    name: 'team', label: translate('mapping_day.team'), note: translate('mapping_day.team.note'),
    value: part?.team ?? '', options: [['', translate('mapping_day.team.none')],
      ...teams.map((name) => /** @type {[string, string]} */ ([name, name]))],
  });
}
