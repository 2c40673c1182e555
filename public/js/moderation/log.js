// @ts-check
// The log: each action with its author and reason, and whether it was undone.

import { connection, getJSON, Outage, send } from '../api.js';
import { localName } from '../devices/late-name.js';
import { askText } from '../dialog.js';
import { fill, h } from '../dom.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { has, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';
import { moment } from './detail.js';

/**
 * @typedef {object} LogEntry
 * @property {string} id
 * @property {string} at
 * @property {string | null} actor username
 * @property {string} action
 * @property {{type: string, id: string, name?: string | null} | string | null} target
 * @property {string | null} reason
 * @property {string | null} [undone_at]
 * @property {boolean} [undoable]
 */

/** Actors that are no accounts, as the server names them. */
const PROGRAMS = /** @type {Record<string, string>} */ ({ 'command line': 'command', job: 'job' });

/** Kinds of targets that have no name; others without a name are deleted. */
const NAMELESS = ['visit'];

const COLUMNS = ['at', 'actor', 'action', 'target', 'reason', 'undo'];

/**
 * The id of the decision about the name of an operator; its entries name the operator after it.
 * @param {LogEntry['target']} target
 */
function rulingOf(target) {
  return typeof target === 'object' && target?.type === 'operator_ruling' ? target.id.split(' ')[0] : null;
}

/** @param {string | null} actor */
function actorWords(actor) {
  if (actor === null) return translate('order.by.deleted');
  const program = PROGRAMS[actor];
  return program ? translate(`order.by.${program}`) : h('bdi', {}, actor);
}

/**
 * The typed reason. Only a deletion whose words were erased has a code.
 * @param {string | null} reason
 */
function reasonWords(reason) {
  return reason && has(`gone.reason.${reason}`) ? translate(`gone.reason.${reason}`) : reason ?? '';
}

export class Log {
  /** @param {HTMLElement} place */
  constructor(place) {
    /** @type {LogEntry[]} */
    this.entries = [];
    /** @type {string | null} */
    this.next = null;
    /** @type {Set<string>} ids of undone decisions about operators; an undoing comes before its decision in the list */
    this.undone = new Set();
    this.body = h('tbody', {});
    this.foot = h('div', {});
    fill(place, h('div', { class: 'table-holder', tabindex: '0', role: 'region', 'aria-label': translate('order.log') },
      h('table', { class: 'log is-stacked' }, h('thead', {}, h('tr', {},
        ...COLUMNS.map((column) => h('th', { scope: 'col' }, translate(`order.log.${column}`))))), this.body)),
    this.foot);
    this.load();
  }

  async load() {
    try {
      const query = new URLSearchParams({ limit: '50', ...(this.next ? { cursor: this.next } : {}) });
      const answer = await getJSON(`/api/moderation/log?${query}`);
      this.entries.push(...answer.entries);
      this.next = answer.next ?? null;
      this.draw();
    } catch (error) {
      fill(this.foot, h('p', { role: 'alert' }, trouble(error)));
      if (error instanceof Outage && connection.reach !== 'fine') connection.recovered().then(() => this.load());
    }
  }

  draw() {
    fill(this.body, ...(this.entries.length ? this.entries.map((entry) => this.row(entry))
      : [h('tr', {}, h('td', { colspan: '6' }, translate('order.log.empty')))]));
    fill(this.foot,
      this.next
        ? h('button', { type: 'button', class: 'button', onclick: () => this.load() }, translate('order.more'))
        : null);
  }

  /** @param {LogEntry} entry */
  row(entry) {
    const { id, at, actor, action, target, reason, undone_at: undone } = entry;
    const key = `order.act.${action.replaceAll(' ', '_')}`; // older entries of the command line have spaces
    const words = has(key) ? translate(key) : action.replaceAll('_', ' ');
    const given = reasonWords(reason);
    const ruling = rulingOf(target);
    if (ruling && action === 'undo') this.undone.add(ruling);
    const canUndo = ruling ? action !== 'undo' && !this.undone.has(ruling) : entry.undoable !== false && id;
    const cells = [
      moment(at), actorWords(actor), words, this.target(target), given && h('bdi', {}, given),
      undone ? translate('order.log.undone', { at: moment(undone) })
        : !canUndo
        ? ruling && action !== 'undo' ? translate('order.log.was_undone') : ''
        : h('button', { type: 'button', class: 'chip', onclick: () => this.undo(entry) }, translate('order.undo')),
    ];
    return h('tr', {}, ...cells.map((cell, place) => (
      h('td', { 'data-title': translate(`order.log.${COLUMNS[place]}`) }, cell ? h('span', {}, cell) : null))));
  }

  /** @param {LogEntry['target']} target */
  target(target) {
    if (!target) return '';
    if (typeof target === 'string') return target;
    if (target.type === 'device') {
      return h('a', { href: `/devices/${encodeURIComponent(target.id)}` }, target.name
        ? localName({ id: target.id, name: target.name }) // the device may be gone
        : translate('order.target.gone', { kind: translate('order.target.device') }));
    }
    if (target.type === 'operator_ruling') return h('bdi', {}, target.id.split(' ').slice(1).join(' '));
    if (target.type === 'account' && target.name) {
      return h('a', { href: `/people/${encodeURIComponent(target.name)}` }, h('bdi', {}, target.name));
    }
    const kind = has(`order.target.${target.type}`) ? translate(`order.target.${target.type}`) : target.type;
    if (target.name) return [`${kind}: `, h('bdi', {}, target.name)];
    return NAMELESS.includes(target.type) ? kind : translate('order.target.gone', { kind });
  }

  /** @param {LogEntry} entry */
  async undo(entry) {
    const reason = await askText({
      title: translate('order.undo.why'), label: translate('order.reason'), yes: translate('order.undo'),
      no: translate('form.cancel'),
      longest: 500, look: 'order',
    });
    if (!reason) return;
    const ruling = rulingOf(entry.target);
    const path = ruling ? `operator-rulings/${encodeURIComponent(ruling)}` : `actions/${encodeURIComponent(entry.id)}`;
    if (!await steadily(saidOver(this.body),
      () => send('POST', `/api/moderation/${path}/undo`, { json: { reason } }))) return;
    if (ruling) this.undone.add(ruling);
    entry.undone_at = new Date().toISOString();
    this.draw();
    toast(translate('order.undone'));
  }
}
