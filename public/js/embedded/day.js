// @ts-check
// The card of a mapping day in a frame: its title, its time and its figures. It reads them again once a minute.

import { getJSON } from '../api.js';
import { fill, h } from '../dom.js';
import { formatNumber } from '../format.js';
import { language, translate } from '../i18n.js';
import { addressOf, KINDS } from '../mapping-days/days.js';
import { stateChip, whenWords } from '../mapping-days/words.js';

const PAUSE = 60_000; // milliseconds

/** @param {HTMLElement} content @param {string} id @param {HTMLElement} wayOut */
export async function showDay(content, id, wayOut) {
  const read = async () => {
    const day = await getJSON(addressOf(id)).catch(() => null);
    if (!day) {
      fill(content, h('p', { class: 'embed-words' }, translate('mapping_day.missing')), wayOut);
      return;
    }
    const hasBegun = day.state === 'running' || day.state === 'over';
    const progress = hasBegun ? await getJSON(`${addressOf(id)}/progress`).catch(() => null) : null;
    fill(content, h('section', { class: 'embed-day' },
      h('h1', {}, h('bdi', {}, day.title)), h('p', {}, stateChip(day), ' ', whenWords(day)),
      progress && h('dl', { class: 'day-counts' }, ...KINDS.map((kind) => h('div', {},
        h('dt', {}, translate(`mapping_day.count.${kind}`)),
        h('dd', {}, formatNumber(progress[kind], language()))))),
      wayOut));
    if (day.state === 'approved' || day.state === 'running') setTimeout(read, PAUSE);
  };
  await read();
}
