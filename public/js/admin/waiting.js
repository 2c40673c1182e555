// @ts-check
// The things that wait for an admin or a moderator, each with the page where it is decided. Pure.

/** @typedef {import('./overview.js').Found} Found */
/** @typedef {{code: string, count: number, href: string}} Waiting */
/** @typedef {Record<'organisations' | 'research' | 'claims', number>} Queues */

const NONE = Object.freeze({ organisations: 0, research: 0, claims: 0 });

/**
 * The number of items in the queue of moderators; lists and mapping days are decided on pages of their own.
 * @param {Found['queue']} queue
 */
export function queued(queue) {
  const { list, mapping_day: days, ...items } = queue?.by_kind ?? {};
  return Object.values(items).reduce((sum, count) => sum + count, 0);
}

/**
 * The waiting work, without empty queues: people first, then faults of the instance.
 * @param {Found} found @param {Queues} others
 * @returns {Waiting[]}
 */
export function waitingOf(found, others = NONE) {
  const { organisations, research, claims } = others;
  const { list = 0, mapping_day: days = 0 } = found.queue?.by_kind ?? {};
  const due = (found.retention ?? []).filter((rule) => rule.due > 0).length;
  /** @type {[string, number, string][]} */
  const rows = [
    ['queue', queued(found.queue), '/moderation'],
    ['organisations', organisations, '/admin/operators'],
    ['claims', claims, '/moderation/operator-claims'],
    ['lists', list, '/moderation/lists'],
    ['mapping_days', days, '/moderation/mapping-days'],
    ['research', research, '/admin/research'],
    ['mail', found.mail?.failed ?? 0, '#admin-mail'],
    ['jobs', found.jobs?.failed ?? 0, '#admin-jobs'],
    ['backups', found.backups?.failure || found.backups?.findings?.length ? 1 : 0, '#admin-backups'],
    ['retention', due, '#admin-retention'],
    ['errors', found.errors?.length ?? 0, '#admin-errors'],
  ];
  return rows.filter(([, count]) => count > 0).map(([code, count, href]) => ({ code, count, href }));
}

/**
 * Counts by name with zeros last; the others keep their order.
 * @param {Record<string, number>} counts @returns {[string, number][]}
 */
export function zerosLast(counts) {
  return Object.entries(counts).sort(([, one], [, other]) => Number(one === 0) - Number(other === 0));
}
