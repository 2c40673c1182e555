// @ts-check
// Reminds of planned visits ten minutes before, while a page is open. Pure apart from the clock.

/** @typedef {import('./visits.js').Visit} Visit */

const BEFORE = 600_000; // milliseconds, as the mail of the server
const LONGEST = 86_400_000; // of one wait: the next reading of the visits, or this, begins another

export class Reminders {
  /** @param {(visit: Visit, isLate: boolean) => void} remind `isLate`: it was time when the visit was first seen */
  constructor(remind) {
    this.remind = remind;
    /** @type {Map<string, ReturnType<typeof setTimeout> | null>} by visit and time; null: reminded */
    this.known = new Map();
  }

  /** @param {readonly Visit[]} visits all that the reader will make */
  follow(visits) {
    const planned = new Map(visits.filter((visit) => visit.planned_for)
      .map((visit) => [`${visit.id} ${visit.planned_for}`, visit]));
    for (const [key, timer] of this.known) {
      if (planned.has(key)) continue;
      clearTimeout(timer ?? undefined);
      this.known.delete(key);
    }
    for (const [key, visit] of planned) if (!this.known.has(key)) this.wait(key, visit, true);
  }

  /** @param {string} key @param {Visit} visit @param {boolean} isFirst */
  wait(key, visit, isFirst) {
    const at = Date.parse(visit.planned_for ?? '');
    const left = at - BEFORE - Date.now();
    if (left > 0) {
      this.known.set(key, setTimeout(() => this.wait(key, visit, false), Math.min(left, LONGEST)));
      return;
    }
    this.known.set(key, null);
    if (at > Date.now()) this.remind(visit, isFirst);
  }
}
