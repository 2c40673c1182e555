// @ts-check
// The requests of the reader, and the visits that the reader made.

import { connection, getJSON, Outage, Refusal, send } from '../api.js';
import { displayName } from '../devices/name.js';
import { fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { language, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { actButton, deviceHead, openVisitFlag, reasonChips } from './parts.js';
import { addressOf, asDevice, VISITS } from './visits.js';

/** @typedef {import('./visits.js').Visit} Visit */

export class Mine {
  constructor() {
    this.asked = h('div', {});
    this.visited = h('div', {});
    this.element = h('section', { class: 'stack', 'aria-labelledby': 'visits-mine' },
      h('h2', { id: 'visits-mine', tabindex: '-1' }, translate('visits.mine')), this.asked, this.visited);
  }

  /** @returns {Promise<void>} */
  async load() {
    try {
      const { asked, visited } = await getJSON(`${VISITS}/mine`);
      fill(this.asked, asked.length
        ? h('ul', { class: 'look-list' }, ...asked.map((/** @type {Visit} */ visit) => this.item(visit)))
        : h('p', {}, translate('visits.none_asked')));
      fill(this.visited, visited.length > 0 && [
        h('h2', { id: 'visits-made' }, translate('visits.made')),
        h('ul', { class: 'look-list' }, ...visited.map((/** @type {Visit} */ visit) => this.item(visit))),
      ]);
    } catch (error) {
      if (error instanceof Outage) return connection.recovered().then(() => this.load());
      if (!(error instanceof Refusal)) throw error;
      fill(this.asked, h('p', { class: 'complaint' }, icon('warning'), h('span', {}, error.message)));
    }
    return undefined;
  }

  /** @param {Visit} visit */
  item(visit) {
    const { device, may } = visit;
    const id = `mine-${visit.id}`;
    const name = device ? displayName(asDevice(device)) : translate('visit.device_gone');
    return h('li', { class: 'paper', 'aria-labelledby': id, 'data-visit': visit.id },
      deviceHead(device, 'h3', id), reasonChips([visit.reason]),
      h('p', { class: 'visit-state' }, h('strong', {}, stateWords(visit)),
        ` · ${translate('visit.asked_on', { day: formatDay(visit.asked_at, language()) ?? '' })}`),
      (may.includes('withdraw') || may.includes('flag')) && h('div', { class: 'visit-acts' },
        may.includes('withdraw') && actButton({
          key: 'visit.withdraw', symbol: 'close', of: name, isRepeatable: false,
          act: () => send('POST', `${addressOf(visit.id)}/withdraw`, { json: {} }),
          done: async () => {
            toast(translate('visit.withdrawn'));
            await this.load();
            document.getElementById('visits-mine')?.focus();
          },
        }),
        may.includes('flag') && h('button', {
          type: 'button', class: 'button', onclick: () => openVisitFlag(visit, () => this.load()),
        }, icon('flag'), translate('visit.flag'), h('span', { class: 'visually-hidden' }, `: ${name}`))));
  }
}

/**
 * The outcome of a request.
 * @param {Visit} visit
 */
export function stateWords({ state, outcome, closed_because: because }) {
  if (outcome) return translate(`visit.outcome.${outcome}`);
  if (because) return translate(`visit.closed.${because}`);
  return translate(`visit.state.${state}`);
}
