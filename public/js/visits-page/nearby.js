// @ts-check
// The devices that need a visit, on a map and in a list with the same filters.

import { connection, isAbort, latestOnly, Outage, Refusal, send } from '../api.js';
import { displayName } from '../devices/name.js';
import { fill, h, icon } from '../dom.js';
import { selectField } from '../forms/fields.js';
import { boxOfView } from '../geography.js';
import { plural, translate } from '../i18n.js';
import { closeView } from '../map/opening.js';
import { PointsMap } from '../mapping/points-map.js';
import { toast } from '../page/notices.js';
import { settings } from '../page/start.js';
import { findPlacesSoon } from '../places/nearest.js';
import { maybeSignedIn } from '../session.js';
import { AreaBox } from '../statistics/area-box.js';
import { allTerms } from '../taxonomies.js';
import { openAsk } from '../visits/ask.js';
import { actButton, deviceHead, openPlan, reasonChips, streetNote } from '../visits/parts.js';
import { addressOf, asDevice, listPath, REASONS, VISITS } from '../visits/visits.js';

/** @typedef {import('../types').Box} Box */
/** @typedef {import('../types').View} View */
/** @typedef {import('../visits/visits.js').Needed} Needed */

const NARROWEST = 9; // the zoom at which a map of this width covers what one request may cover
const MAP = { width: 700, height: 360 }; // pixels, about the size of the map

export class Nearby {
  /** @param {(focus?: string) => Promise<unknown>} taken called after the reader has taken a visit */
  constructor(taken) {
    this.taken = taken;
    this.latest = latestOnly();
    /** @type {Needed[]} */
    this.found = [];
    /** @type {string | null} */
    this.next = null;
    /** @type {Box | null} */
    this.box = null;
    this.status = h('p', { class: 'section-note', role: 'status' });
    this.list = h('ul', { class: 'look-list' });
    this.foot = h('div', {});
    this.map = new PointsMap({
      label: translate('visit.map'), choose: (index) => this.focus(index), moved: (box) => this.show(box),
    });
    this.area = new AreaBox({
      id: 'visit-place', title: translate('look.place.only'), placeholder: translate('look.place.placeholder'),
      fixed: () => [], withCountries: false, choose: ({ place, name }) => {
        if (!place) return;
        this.area.show(name);
        this.goTo({ longitude: place.longitude, latitude: place.latitude, zoom: 12 });
      },
    });
    this.reason = selectField({
      name: 'reason', label: translate('visit.why'), value: '',
      options: [['', translate('visit.all_reasons')],
        ...REASONS.map((code) => /** @type {[string, string]} */ ([code, translate(`visit.reason.${code}`)]))],
    });
    this.category = selectField({
      name: 'category', label: translate('visit.kind'), value: '',
      options: [['', translate('visit.all_kinds')],
        ...[...allTerms('categories')?.values() ?? []].map((term) => (
          /** @type {[string, string]} */ ([term.code, term.label])))],
    });
    for (const { control } of [this.reason, this.category]) control.addEventListener('change', () => this.load());
    this.element = h('section', { class: 'visit-nearby', 'aria-labelledby': 'visits-nearby' },
      h('h2', { id: 'visits-nearby', tabindex: '-1' }, translate('visits.nearby')),
      h('div', { class: 'visit-filters' }, this.area.element, this.reason.element, this.category.element),
      this.map.element, this.status, this.list, this.foot);
  }

  async start() {
    const { view: usual } = await settings();
    const view = await closeView(usual, MAP);
    if (this.box) return undefined; // the reader has chosen a place meanwhile
    if (view) return this.goTo({ ...view, zoom: Math.max(NARROWEST, view.zoom) });
    this.status.textContent = translate('visits.choose_place');
    return this.map.look(usual);
  }

  /** @param {View} view */
  async goTo(view) {
    this.show(boxOfView(view, MAP.width, MAP.height));
    await this.map.look(view);
  }

  /** @param {Box} box */
  show(box) {
    this.box = box;
    this.load();
  }

  /** @param {boolean} [isMore] @returns {Promise<void>} */
  async load(isMore = false) {
    if (!this.box) return undefined;
    try {
      const answer = await this.latest(listPath({
        box: this.box, reasons: [this.reason.value()].filter(Boolean),
        categories: [this.category.value()].filter(Boolean), cursor: isMore ? this.next : null,
      }));
      this.found = isMore ? [...this.found, ...answer.visits] : answer.visits;
      this.next = answer.next;
      await findPlacesSoon(this.found.map(({ device }) => asDevice(device).position));
      this.draw();
    } catch (error) {
      if (isAbort(error)) return undefined;
      if (error instanceof Outage) return connection.recovered().then(() => this.load(isMore));
      if (!(error instanceof Refusal)) throw error;
      this.status.textContent = error.message;
    }
    return undefined;
  }

  draw() {
    const count = this.found.length;
    this.status.textContent = count
      ? plural(this.next ? 'visits.found_first' : 'visits.found', count) : translate('visits.none_here');
    this.map.show(this.found.map(({ device }) => asDevice(device).position),
      new Set(this.found.flatMap(({ request }, index) => (request ? [index] : []))));
    fill(this.list, ...this.found.map((needed) => this.item(needed)));
    fill(this.foot, this.next && h('button', {
      type: 'button', class: 'button', onclick: () => this.load(true),
    }, icon('down'), translate('order.more')));
  }

  /** @param {number} index of a point of the map */
  focus(index) { document.getElementById(`needed-${this.found[index]?.device.id}`)?.focus(); }

  /** @param {Needed} needed */
  item(needed) {
    const { device, reasons, request, from_street: fromStreet } = needed;
    const name = displayName(asDevice(device));
    const take = (/** @type {object} */ planned) => (request
      ? send('POST', `${addressOf(request.id)}/take`, { json: planned })
      : send('POST', `${VISITS}/take`, { json: { device: device.id, ...planned } }));
    const taken = async (/** @type {string} */ words) => {
      toast(translate(words));
      await this.taken();
    };
    const mayTake = maybeSignedIn() && (!request || request.open_to_all);
    return h('li', { class: 'paper', 'aria-labelledby': `needed-${device.id}` },
      deviceHead(device, 'h3', `needed-${device.id}`),
      reasonChips(request ? [request.reason, ...reasons.filter((reason) => reason !== request.reason)] : reasons),
      fromStreet ? streetNote() : null,
      request && !request.open_to_all && h('p', { class: 'section-note' }, translate('visit.being_offered')),
      mayTake && h('div', { class: 'visit-acts' },
        actButton({
          key: 'visit.take', symbol: 'check', of: name, act: () => take({}), done: () => taken('visit.accepted'),
          isRepeatable: false,
        }),
        h('button', {
          type: 'button', class: 'button',
          onclick: () => openPlan(name, (planned) => take({ planned_for: planned }), () => taken('visit.planned')),
        }, icon('clock'), translate('visit.plan'), h('span', { class: 'visually-hidden' }, `: ${name}`)),
        !request && h('button', {
          type: 'button', class: 'button', onclick: () => openAsk(device.id, name, fromStreet, async () => {
            await this.load();
            document.getElementById(`needed-${device.id}`)?.focus();
          }),
        }, icon('question'), translate('visit.ask'), h('span', { class: 'visually-hidden' }, `: ${name}`))));
  }
}
