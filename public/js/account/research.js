// @ts-check
// Request research access, and see the decision.

import { getJSON, send } from '../api.js';
import { dayField, longField } from '../choices/fields.js';
import { fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { textField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { language, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { untilAnswered } from '../page/start.js';
import { cancelButton, opener, paper } from './section.js';
import { deleted, trouble } from './sessions.js';

/**
 * @typedef {object} Access
 * @property {string} id
 * @property {string} project
 * @property {string} purpose
 * @property {string} wanted_until
 * @property {string} state
 * @property {string | null} until
 * @property {string | null} reason
 * @property {string} asked_at
 * @property {string | null} decided_at
 */

const DAY = 86_400_000; // milliseconds
const LONGEST = 731; // days; the server has the same limit

/** @returns {import('./section.js').Section} */
export function research() {
  const title = translate('account.research');
  const list = h('ul', { class: 'things', 'aria-busy': 'true' });
  const { button, place, close } = opener({ words: translate('account.research.ask'), symbol: icon('plus') }, askForm);

  const load = async (/** @type {(path: string) => Promise<{requests: Access[]}>} */ ask) => {
    const { requests } = await ask('/api/account/research-access');
    list.removeAttribute('aria-busy');
    fill(list,
      ...(requests.length
        ? requests.map(item)
        : [h('li', { class: 'field-note' }, translate('account.research.none'))]));
    // One open request at a time.
    button.hidden = requests.some(({ state }) => state === 'waiting');
  };

  /** @param {Access} access */
  function item(access) {
    const day = formatDay(access.until ?? access.wanted_until, language()) ?? '';
    return h('li', { 'data-state': access.state },
      h('div', {}, h('p', { class: 'strong' }, h('bdi', {}, access.project)),
        h('p', {}, translate(`account.research.state.${access.state}`, { day })),
        h('p', { class: 'field-note said' }, access.purpose),
        access.reason && h('p', { class: 'said' }, translate('account.research.reason', { reason: access.reason }))),
      h('button', {
        type: 'button', class: 'button', 'aria-label': `${translate('account.research.end')}: ${access.project}`,
        onclick: () => end(access.id),
      }, translate('account.research.end')));
  }

  /** @param {string} id */
  async function end(id) {
    if (!await deleted(`/api/account/research-access/${encodeURIComponent(id)}`, element)) return undefined;
    toast(translate('account.research.erased'));
    await load(getJSON).catch(trouble);
    return element.focus();
  }

  /** @param {(said?: string) => void} cancel */
  function askForm(cancel) {
    const day = (/** @type {number} */ days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
    return new Form({
      fields: [
        textField({
          name: 'project', label: translate('account.research.project'),
          note: translate('account.research.project.note'), most: 120,
        }),
        longField({
          name: 'purpose', label: translate('account.research.purpose'),
          note: translate('account.research.purpose.note'), isRequired: true,
        }),
        dayField({ name: 'until', label: translate('account.research.until'), from: day(1), to: day(LONGEST) }),
      ],
      submit: translate('account.research.ask'),
      beside: [cancelButton(cancel)],
      act: async (values) => {
        await send('POST', '/api/account/research-access', { json: values });
        close(translate('account.research.asked'));
        await load(getJSON).catch(trouble);
        element.focus();
      },
    });
  }

  const element = paper('research', title, h('p', {}, translate('account.research.why')), list,
    h('div', { class: 'form-acts' }, button), place);
  load(untilAnswered).catch(trouble);
  return { id: 'research', title, element, update: () => {} };
}
