// @ts-check
// The items of the moderation queue and the actions for them. Pure functions.

/**
 * @typedef {object} QueueDevice
 * @property {string} id
 * @property {string} name
 * @property {string} category
 * @property {import('../types').Status} status
 * @property {boolean} [hidden]
 * @property {import('../types').Precision} [precision]
 * @property {import('../types').Point} [geometry]
 * @property {import('../types').Position} [location] the true point, which only moderators may see
 * @property {unknown} [photos]
 * @property {string} [version]
 */
 /** @typedef {import('../types').DevicePhoto & {state?: string, version?: string}} QueuePhoto */
/**
 * @typedef {object} QueueAccount
 * @property {string} id
 * @property {string} username
 * @property {string} role
 * @property {boolean} [new]
 * @property {boolean} [suspended]
 * @property {string} [joined_on]
 * @property {{[count: string]: number}} [contributions]
 * @property {{[count: string]: number}} [flags]
 * @property {{action: string, at: string, reason: string, undone_at?: string | null}[]} [decisions]
 */
/**
 * @typedef {object} QueueItem
 * @property {string} id
 * @property {string} version version that the page shows; a decision sends it back
 * @property {'flag' | 'report' | 'contribution' | 'photo' | 'verdict'} kind
 * @property {string} opened_at
 * @property {number} count
 * @property {'high' | 'normal'} severity
 * @property {{type: string, id: string}} target
 * @property {QueueDevice | null} device
 * @property {QueuePhoto | null} photo
 * @property {QueueAccount | null} account
 * @property {{reason: string, note: string | null, by: string | null, at: string, times: number}[]} reasons
 * @property {{field: string, before: unknown, after: unknown}[] | null} changes
 * @property {number | null} revision
 * @property {{claim: string, verdict: string, basis: string, note: string | null} | null} verdict
 */
/**
 * @typedef {'accept' | 'dismiss' | 'hide' | 'restore' | 'revert' | 'redact' | 'merge' | 'warn' | 'suspend' |
 *   'unsuspend' | 'revert_all'} Act
 */
/** @typedef {{type: string, id: string, [more: string]: any}} Target */
/**
 * @typedef {object} Choice
 * @property {Act} act
 * @property {string} key
 * @property {Target} target
 * @property {'primary' | 'plain' | 'grave'} style
 * @property {string} [version] of the target, as the page shows it
 */

/**
 * The keyboard shortcut of each action, active while no field has the focus.
 * @type {Record<Act, string>}
 */
const KEYS = {
  accept: 'a', dismiss: 'd', hide: 'h', restore: 'o', revert: 'r', redact: 'x', merge: 'm', warn: 'w', suspend: 's',
  unsuspend: 'u', revert_all: 'b',
};

/**
 * The actions that a moderator can take on an item, the most likely first.
 * @param {QueueItem} item
 * @returns {Choice[]}
 */
export function choices(item) {
  const { target, device, photo, account } = item;
  /** @type {Choice[]} */
  const all = [];
  /** @param {Act} act @param {Target} of @param {Choice['style']} [style] @param {string} [version] */
  const add = (act, of, style = 'plain', version) =>
    all.push({ act, key: KEYS[act], target: of, style, ...(version && { version }) });
  const isReview = item.kind === 'contribution' || item.kind === 'photo' || item.kind === 'verdict';
  if (isReview) {
    add('accept', { type: 'review', id: item.id }, 'primary', item.version);
    add('dismiss', { type: 'review', id: item.id }, 'plain', item.version);
  } else add('dismiss', { type: target.type, id: target.id }, 'primary', item.version);
  if (photo) {
    add('redact', { type: 'photo', id: photo.id }, 'plain', photo.version);
    if (photo.state === 'hidden') add('restore', { type: 'photo', id: photo.id }, 'grave', photo.version);
    else add('hide', { type: 'photo', id: photo.id }, 'grave');
  }
  if (device && item.revision) add('revert', { type: 'device', id: device.id, revision: item.revision });
  if (device && !photo) {
    if (device.hidden) add('restore', { type: 'device', id: device.id }, 'grave', device.version);
    else add('hide', { type: 'device', id: device.id }, 'grave');
    add('merge', { type: 'device', id: device.id });
  }
  if (account) {
    const person = { type: 'account', id: account.id ?? account.username };
    add('warn', person);
    add(account.suspended ? 'unsuspend' : 'suspend', person, 'grave');
    add('revert_all', person, 'grave');
  }
  return all;
}

/**
 * The body of the request that carries out an action.
 * @param {Choice} choice @param {string} reason empty only to accept a contribution
 * @param {object} [more] into, regions, days
 */
export function order(choice, reason, more = {}) {
  const isAll = choice.act === 'revert_all';
  return {
    action: isAll ? 'revert' : choice.act, ...(reason && { reason }),
    ...(choice.version && { version: choice.version }),
    target: { ...choice.target, ...more, ...(isAll ? { all: true } : {}) },
  };
}

/**
 * How long an item has been waiting: the number and the unit for `Intl.RelativeTimeFormat`.
 * @param {string} since RFC 3339 @param {number} now milliseconds
 * @returns {[number, Intl.RelativeTimeFormatUnit]}
 */
export function age(since, now) {
  const minutes = Math.max(0, Math.round((now - Date.parse(since)) / 60_000));
  if (minutes < 60) return [-minutes, 'minute'];
  if (minutes < 48 * 60) return [-Math.round(minutes / 60), 'hour'];
  return [-Math.round(minutes / 1_440), 'day'];
}

/**
 * A rectangle between two corners as shares of width and height, clipped to the picture and with a positive size.
 * @param {{x: number, y: number}} from @param {{x: number, y: number}} to
 */
export function rectangle(from, to) {
  /** @param {number} part */
  const inside = (part) => Math.min(1, Math.max(0, part));
  const [left, right] = [inside(from.x), inside(to.x)].sort((a, b) => a - b);
  const [top, bottom] = [inside(from.y), inside(to.y)].sort((a, b) => a - b);
  /** @param {number} part */
  const short = (part) => Math.round(part * 10_000) / 10_000;
  return {
    x: short(left ?? 0), y: short(top ?? 0), width: short((right ?? 0) - (left ?? 0)),
    height: short((bottom ?? 0) - (top ?? 0)),
  };
}
