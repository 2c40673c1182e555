// @ts-check
// The devices of a proposed list: on a small map, and in a table that says the same, each with its flags. A moderator
// selects those to accept.

import { lateName } from '../devices/late-name.js';
import { fieldName } from '../devices/value-words.js';
import { fill, h, icon } from '../dom.js';
import { plural, translate } from '../i18n.js';
import { noteWords } from '../mapping/note-words.js';
import { PointsMap } from '../mapping/points-map.js';
import { announce } from '../page/notices.js';
import { label } from '../taxonomies.js';
import { number } from './proposals.js';

/** @typedef {import('./proposals.js').ProposedDevice} ProposedDevice */

const STEP = 50; // rows drawn at a time
const SHOWN_ELSEWHERE = ['name', 'category', 'status', 'assumed'];

/** @param {ProposedDevice} device */
export const isFlagged = ({ notes, far, duplicates }) => notes.length > 0 || far || duplicates.length > 0;

export class ProposedDevices {
  /**
   * @param {ProposedDevice[]} devices
   * @param {{selected?: () => void}} given called when the selection changes; without it, nothing can be selected
   */
  constructor(devices, { selected }) {
    this.devices = devices;
    this.onSelect = selected;
    /** Numbers of the selected devices. */
    this.selection = new Set(devices.map((device) => device.number));
    this.onlyFlagged = false;
    this.shown = STEP;
    this.map = new PointsMap({
      label: translate('lists.map'), choose: (index) => this.choose(devices[index]),
    });
    this.chosen = h('p', { class: 'import-chosen', role: 'status' });
    this.rows = h('tbody', {});
    this.foot = h('div', { class: 'decision-acts' });
    const flagged = devices.filter(isFlagged).length;
    this.element = h('div', { class: 'import-devices' },
      flagged > 0 && h('p', { class: 'import-key' }, h('span', { class: 'import-mark', 'aria-hidden': 'true' }),
        plural('lists.flagged', flagged)),
      this.map.element, this.chosen, flagged > 0 && flagged < devices.length && this.filter(), this.acts(),
      this.table(), this.foot);
    this.draw();
  }

  filter() {
    return h('label', { class: 'check' }, h('input', {
      type: 'checkbox', 'data-act': 'flagged', onchange: (/** @type {Event} */ event) => {
        this.onlyFlagged = /** @type {HTMLInputElement} */ (event.target).checked;
        this.draw();
      },
    }), h('span', {}, translate('lists.only_flagged')));
  }

  acts() {
    if (!this.onSelect) return null;
    /** @param {string} key @param {(device: ProposedDevice) => boolean} isWanted */
    const button = (key, isWanted) => h('button', {
      type: 'button', class: 'button', 'data-act': key, onclick: () => {
        this.selection = new Set(this.devices.filter(isWanted).map((device) => device.number));
        this.draw();
        this.onSelect?.();
      },
    }, translate(`lists.select.${key}`));
    return h('div', { class: 'decision-acts', role: 'group', 'aria-label': translate('lists.select') },
      button('all', () => true), button('unflagged', (device) => !isFlagged(device)), button('none', () => false));
  }

  /** Draws the map. The element must be on the page. */
  start() {
    this.map.show(this.devices.map(({ longitude, latitude }) => [longitude, latitude]),
      new Set(this.devices.flatMap((device, index) => (isFlagged(device) ? [index] : []))));
  }

  /** Frees the memory of the map. */
  end() { this.map.end(); }

  /** @param {ProposedDevice} device */
  choose(device) {
    fill(this.chosen, h('bdi', {}, device.name), ` · ${label('categories', device.category)} · `,
      translate('lists.row', { row: number(device.row) }));
  }

  table() {
    const columns = [...(this.onSelect ? ['accept'] : []), 'name', 'row', 'stated', 'flags'];
    return h('table', { class: 'is-stacked lists-devices' },
      h('caption', { class: 'visually-hidden' }, translate('lists.devices.title')),
      h('thead', {}, h('tr', {}, ...columns.map((name) => (
        h('th', { scope: 'col' }, translate(`lists.columns.${name}`)))))), this.rows);
  }

  draw() {
    const wanted = this.onlyFlagged ? this.devices.filter(isFlagged) : this.devices;
    fill(this.rows, ...wanted.slice(0, this.shown).map((device) => this.row(device)));
    const words = translate('admin.import.rows.shown', {
      shown: number(Math.min(this.shown, wanted.length)), total: number(wanted.length),
    });
    fill(this.foot, h('span', { class: 'section-note' }, words), this.shown < wanted.length && h('button', {
      type: 'button', class: 'button', onclick: () => {
        const before = this.shown;
        this.shown += STEP;
        this.draw();
        announce(words);
        /** @type {HTMLElement | undefined} */ (this.rows.children[before])?.focus();
      },
    }, translate('list.more')));
  }

  /** @param {ProposedDevice} device */
  row(device) {
    const cell = (/** @type {string} */ name, /** @type {import('../dom.js').Child[]} */ ...content) => (
      h('td', { 'data-title': translate(`lists.columns.${name}`) }, h('div', {}, ...content)));
    return h('tr', { tabindex: '-1', 'data-number': device.number },
      this.onSelect && cell('accept', this.check(device)),
      h('th', { scope: 'row' }, h('bdi', {}, device.name), h('span', { class: 'section-note lists-category' },
        label('categories', device.category)), outcome(device)),
      cell('row', number(device.row)), cell('stated', stated(device)), cell('flags', flags(device)));
  }

  /** @param {ProposedDevice} device */
  check(device) {
    return h('label', { class: 'check' }, h('input', {
      type: 'checkbox', checked: this.selection.has(device.number),
      'aria-label': translate('lists.accept.one', { name: device.name }),
      onchange: (/** @type {Event} */ event) => {
        if (/** @type {HTMLInputElement} */ (event.target).checked) this.selection.add(device.number);
        else this.selection.delete(device.number);
        this.onSelect?.();
      },
    }));
  }
}

/** @param {ProposedDevice} device */
function outcome({ accepted }) {
  if (accepted === null) return null;
  return h('span', { class: accepted ? 'chip is-on' : 'chip' }, translate(accepted ? 'lists.row.yes' : 'lists.row.no'));
}

/** @param {ProposedDevice} device */
function stated({ properties, longitude, latitude }) {
  const known = Object.entries(properties).filter(
    ([name, value]) => value !== null && !SHOWN_ELSEWHERE.includes(name));
  return h('ul', { class: 'lists-stated' },
    h('li', {}, translate('lists.position'), ': ', `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`),
    ...known.map(([name, value]) => h('li', {}, fieldName(name), ': ', h('bdi', {}, text(value)))));
}

/** @param {any} value @returns {string} */
function text(value) {
  if (Array.isArray(value)) return value.map(text).join(', ');
  if (value && typeof value === 'object') return Object.values(value).map(text).join(' · ');
  return typeof value === 'number' ? number(value) : String(value);
}

/** @param {ProposedDevice} device */
function flags(device) {
  if (!isFlagged(device)) return h('span', { class: 'section-note' }, translate('lists.flags.none'));
  return h('ul', { class: 'lists-flags' },
    device.far && h('li', {}, icon('warning'), h('span', {}, translate('lists.flags.far'))),
    ...device.duplicates.map(({ id, name, distance }) => h('li', {}, icon('warning'), h('span', {},
      translate('lists.flags.duplicate'), ' ',
      h('a', { href: `/devices/${id}`, target: '_blank' }, lateName({ id, name })),
      ` (${translate('metres', { count: number(distance) })})`))),
    ...device.notes.map((note) => h('li', {}, icon('warning'), h('span', {},
      note.field ? `${fieldName(note.field)}: ` : '', h('bdi', {}, noteWords(note))))));
}
