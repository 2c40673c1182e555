// @ts-check
// Live view of a day that runs: the map fills from the live stream. The figures are one answer that the server makes
// once for all viewers; it is read again some seconds after a change, at another moment by each viewer.

import { getJSON } from '../api.js';
import { translate } from '../i18n.js';
import { ChangeStream } from '../live/stream.js';
import { announce } from '../page/notices.js';
import { addressOf, boxOf, isInside } from './days.js';

/** @typedef {import('./days.js').MappingDay} MappingDay */
/** @typedef {import('./days.js').Progress} Progress */

const SOON = 2_000; // milliseconds after a change, and as many more by chance
const SPREAD = 6_000;
const SELDOM = 30_000; // milliseconds between two sentences for screen readers

/**
 * @param {MappingDay} day
 * @param {{map: import('./map.js').DayMap, figures: import('./figures.js').DayFigures, ended: () => void}} parts
 */
export function followDay(day, { map, figures, ended }) {
  let isWaiting = false;
  let toldAt = Date.now();
  let isOver = false;
  const seen = new Set();

  const read = async () => {
    isWaiting = false;
    const progress = await getJSON(`${addressOf(day.id)}/progress`).catch(() => null);
    if (!progress || isOver) return;
    figures.show(progress);
    if (progress.state !== 'running') {
      isOver = true;
      ended();
    } else if (Date.now() - toldAt > SELDOM) {
      toldAt = Date.now();
      announce(translate('mapping_day.so_far', progress));
    }
  };
  const readSoon = () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(read, SOON + Math.random() * SPREAD);
  };

  const stream = new ChangeStream((event, data) => {
    if (isOver) return;
    const position = data.geometry?.coordinates;
    if (event === 'reload') readSoon();
    if (!position || !isInside(day.area, position)) return;
    map.add(data.id, position);
    if (event === 'added' && !seen.has(data.id)) figures.countAdded();
    seen.add(data.id);
    readSoon();
  });
  stream.follow(boxOf(day.area), new URLSearchParams());
  // The start of an hour adds a bar, and the end of the day ends the page.
  const untilEnd = Date.parse(day.ends_at) - Date.now();
  if (untilEnd < 2 ** 31 - 1) setTimeout(readSoon, Math.max(0, untilEnd));
}
