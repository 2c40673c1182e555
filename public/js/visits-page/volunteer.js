// @ts-check
// The settings of a volunteer: when, where, what and how often. The place is a cell of about two kilometres, which this
// page works out from a point on the map; the point itself is not sent.

import { getJSON, send } from '../api.js';
import { ask } from '../dialog.js';
import { fill, h, icon, iconButton } from '../dom.js';
import { checkField, complaintFor, selectField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { formatMoment } from '../format.js';
import { circle, middleOf } from '../geography.js';
import { language, plural, translate } from '../i18n.js';
import { canNotify, isNotifying, wantNotifications } from '../local-watches/notify.js';
import { closeView } from '../map/opening.js';
import { PointsMap } from '../mapping/points-map.js';
import { toast } from '../page/notices.js';
import { settings } from '../page/start.js';
import { AreaBox } from '../statistics/area-box.js';
import { allTerms } from '../taxonomies.js';
import { dayName } from '../watches/words.js';
import { boxOfCell, cellOf } from '../visits/cells.js';
import { joined, MOST_SPANS, TIMES } from '../visits/hours.js';
import { noteVolunteer } from '../visits/kept.js';
import { actButton } from '../visits/parts.js';
import { VISITS } from '../visits/visits.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {import('../visits/hours.js').Span} Span */
/**
 * @typedef {object} Volunteer
 * @property {string} cell
 * @property {number} radius_km
 * @property {string[]} kinds codes of categories; empty: all
 * @property {number} offers_per_day
 * @property {string | null} until available now until
 * @property {Span[]} weekly
 * @property {string} time_zone
 * @property {boolean} mail
 * @property {boolean} found whether to offer devices for which Farol found a reason
 * @property {boolean} paused
 * @property {string} [state]
 * @property {string | null} [next_from]
 * @property {string | null} [next_until]
 */

const PATH = `${VISITS}/volunteer`;
const RADII = [1, 2, 3, 5, 10, 20, 50]; // kilometres
const OFFERS = [1, 2, 3, 5, 10, 20];
const NOW = [1, 2, 4, 8]; // hours from now
const MAP = { width: 700, height: 360 }; // pixels, about the size of the map
const NEW = /** @type {Readonly<Volunteer>} */ (Object.freeze({
  cell: '', radius_km: 3, kinds: [], offers_per_day: 5, until: null, weekly: [], time_zone: 'UTC', mail: true,
  found: false, paused: false,
}));

/**
 * The stored settings, without members that are only reported.
 * @param {Volunteer} volunteer
 */
function stored({ cell, radius_km, kinds, offers_per_day, until, weekly, time_zone, mail, found, paused }) {
  return { cell, radius_km, kinds, offers_per_day, until, weekly, time_zone, mail, found, paused };
}

/**
 * The numbers to choose from, with one that another program has chosen.
 * @param {number[]} numbers @param {number} given
 */
function withGiven(numbers, given) { return [...new Set([...numbers, given])].sort((a, b) => a - b); }

function ownZone() { return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'; }

export class VolunteerPart {
  constructor() {
    this.body = h('div', { class: 'stack' });
    this.element = h('section', { class: 'stack', 'aria-labelledby': 'visits-volunteer' },
      h('h2', { id: 'visits-volunteer', tabindex: '-1' }, translate('volunteer.title')),
      h('p', {}, translate('volunteer.lead')), this.body);
    /** @type {Volunteer | null} */
    this.volunteer = null;
  }

  async load() {
    // Browsers report a 404 as an error of the page, so the settings are read only where there are some.
    const { volunteer_state: state } = await getJSON(`${VISITS}/now`);
    this.volunteer = state === 'none' ? null : await getJSON(PATH);
    noteVolunteer(this.volunteer !== null && !this.volunteer.paused);
    this.draw();
  }

  draw() {
    const { volunteer } = this;
    fill(this.body, volunteer && this.present(volunteer), this.form(volunteer ?? NEW).element);
  }

  /** @param {Volunteer} volunteer */
  present(volunteer) {
    const isNow = volunteer.until !== null && Date.parse(volunteer.until) > Date.now();
    const change = (/** @type {Partial<Volunteer>} */ changes) => send('PUT', PATH, {
      json: { ...stored(volunteer), until: isNow ? volunteer.until : null, ...changes },
    });
    const done = (/** @type {string} */ words) => async () => {
      toast(translate(words));
      await this.load();
      document.getElementById('volunteer-state')?.focus();
    };
    const hours = (/** @type {number} */ count) => (
      new Date(Date.now() + count * 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z'));
    const isOn = isNotifying();
    return h('div', { class: 'paper stack' },
      h('p', { class: 'visit-left', id: 'volunteer-state', tabindex: '-1' }, icon('info'), stateWords(volunteer)),
      h('div', { class: 'visit-acts' },
        ...(volunteer.paused || isNow ? [] : NOW.map((count) => actButton({
          key: `volunteer.now.${count}`, symbol: 'check', act: () => change({ until: hours(count) }),
          done: done('volunteer.saved'),
        }))),
        isNow && actButton({
          key: 'volunteer.not_now', symbol: 'close', act: () => change({ until: null }), done: done('volunteer.saved'),
        }),
        volunteer.paused
          ? actButton({
            key: 'volunteer.resume', symbol: 'restore', look: 'primary', act: () => change({ paused: false }),
            done: done('volunteer.saved'),
          })
          : actButton({
            key: 'volunteer.pause', symbol: 'pause', act: () => change({ paused: true }),
            done: done('volunteer.paused'),
          }),
        canNotify() && h('button', {
          type: 'button', class: 'button', 'aria-pressed': String(isOn), onclick: async () => {
            const isWanted = !isOn;
            const isNow = await wantNotifications(isWanted);
            toast(translate(isNow ? 'local_watch.notify.on'
              : isWanted ? 'local_watch.notify.refused' : 'local_watch.notify.off'));
            this.draw();
          },
        }, icon(isOn ? 'check' : 'bell'), translate('local_watch.notify')),
        h('button', { type: 'button', class: 'button', onclick: () => this.stop() }, icon('trash'),
          translate('volunteer.stop'))));
  }

  async stop() {
    const answer = await ask({
      title: translate('volunteer.stop.title'), words: translate('volunteer.stop.words'),
      answers: [
        { value: 'yes', label: translate('volunteer.stop'), look: 'grave' },
        { value: 'no', label: translate('form.cancel') },
      ],
    });
    if (answer !== 'yes') return;
    await send('DELETE', PATH);
    toast(translate('volunteer.stopped'));
    await this.load();
    document.getElementById('visits-volunteer')?.focus();
  }

  /** @param {Volunteer} given */
  form(given) {
    const radius = selectField({
      name: 'radius_km', label: translate('volunteer.radius'), value: String(given.radius_km),
      options: withGiven(RADII, given.radius_km).map((km) => [String(km), `${km} km`]),
    });
    const cell = cellField(given.cell, () => Number(radius.value()));
    radius.control.addEventListener('change', () => cell.draw());
    const weekly = weeklyField(given.weekly);
    const kinds = kindsField(given.kinds);
    const offers = selectField({
      name: 'offers_per_day', label: translate('volunteer.offers'), value: String(given.offers_per_day),
      options: withGiven(OFFERS, given.offers_per_day).map((count) => [String(count), String(count)]),
    });
    const mail = checkField({ name: 'mail', label: translate('volunteer.mail'), value: given.mail });
    const found = checkField({
      name: 'found', label: translate('volunteer.found'), note: translate('volunteer.found.note'), value: given.found,
    });
    const isNew = given.cell === '';
    const form = new Form({
      fields: [cell, radius, weekly, kinds, offers, mail, found],
      submit: translate(isNew ? 'volunteer.start' : 'watch.save'),
      isRepeatable: true,
      act: async (values) => {
        const until = given.until && Date.parse(given.until) > Date.now() ? given.until : null;
        await send('PUT', PATH, {
          json: {
            ...stored({ ...given, ...values, weekly: joined(values.weekly), until }), time_zone: ownZone(),
            radius_km: Number(values.radius_km), offers_per_day: Number(values.offers_per_day),
          },
        });
        toast(translate('volunteer.saved'));
        await this.load();
        document.getElementById('volunteer-state')?.focus();
      },
    });
    return form;
  }
}

/** @param {Volunteer} volunteer */
function stateWords({ paused, state, until, next_from: from, weekly }) {
  if (paused) return translate('volunteer.state.paused');
  if (state === 'asked' || state === 'visiting') return translate(`volunteer.state.${state}`);
  if (until && Date.parse(until) > Date.now()) {
    return translate('volunteer.state.until', { time: formatMoment(until, language()) });
  }
  if (state === 'free') return translate('volunteer.state.free');
  if (from) return translate('volunteer.state.from', { time: formatMoment(from, language()) });
  return translate(weekly.length ? 'volunteer.state.resting' : 'volunteer.state.no_hours');
}

/**
 * The area: a cell and the circle around it. The cell is chosen by a place, or on the map by a tap or by its middle.
 * @param {string} given @param {() => number} radius in kilometres
 */
function cellField(given, radius) {
  let cell = given;
  const title = h('p', { class: 'field-label', id: 'volunteer-area' }, translate('volunteer.area'));
  const said = h('p', { class: 'section-note', role: 'status' });
  const map = new PointsMap({ label: translate('volunteer.map') });
  const area = new AreaBox({
    id: 'volunteer-place', title: translate('look.place.only'), placeholder: translate('look.place.placeholder'),
    fixed: () => [], withCountries: false, choose: ({ place, name }) => {
      if (!place) return;
      area.show(name);
      choose([place.longitude, place.latitude], true);
    },
  });
  const middle = h('button', {
    type: 'button', class: 'button', onclick: () => {
      const view = map.view?.view;
      if (view) choose([view.longitude, view.latitude], false);
    },
  }, icon('crosshair'), translate('volunteer.middle'));
  const zoom = h('div', { class: 'small-map-zoom' },
    iconButton('plus', translate('map.closer'), { class: 'framed', onclick: () => map.view?.zoomBy(1) }),
    iconButton('minus', translate('map.wider'), { class: 'framed', onclick: () => map.view?.zoomBy(-1) }));
  const group = h('div', { class: 'field', role: 'group', 'aria-labelledby': 'volunteer-area', tabindex: '-1' });
  const complaint = complaintFor(group, ['volunteer-area-note']);
  fill(group, title, h('p', { class: 'field-note', id: 'volunteer-area-note' }, translate('volunteer.area.note')),
    area.element, map.element, h('div', {}, middle), said, complaint.element);

  /** @param {Position} position @param {boolean} isShown whether the map moves there */
  function choose(position, isShown) {
    cell = cellOf(position);
    complaint.say(null);
    draw();
    const box = boxOfCell(cell);
    if (isShown && box) map.view?.fit(box, 11);
  }
  function draw() {
    const box = boxOfCell(cell);
    said.textContent = box ? translate('volunteer.area.chosen') : '';
    map.view?.outline(box);
    map.view?.describe({
      type: 'FeatureCollection',
      features: box ? [{
        type: 'Feature', properties: { part: 'cell' },
        geometry: { type: 'Polygon', coordinates: [circle(middleOf(box), radius() * 1_000)] },
      }] : [],
    });
  }
  const start = async () => {
    const box = boxOfCell(cell);
    const [longitude, latitude] = box ? middleOf(box) : [0, 0];
    const { view: usual } = await settings();
    const view = box ? { longitude, latitude, zoom: 10 } : await closeView(usual, MAP) ?? usual;
    map.element.hidden = false;
    await map.look({ ...view, zoom: Math.min(11, view.zoom) });
    const found = map.view;
    if (!found) {
      middle.hidden = true;
      return;
    }
    map.element.append(zoom);
    found.map.on('click', (/** @type {any} */ event) => choose([event.lngLat.wrap().lng, event.lngLat.lat], false));
    draw();
  };
  start();
  return {
    name: 'cell', label: translate('volunteer.area'), element: group, control: group, draw,
    value: () => cell, fault: () => (cell ? null : translate('volunteer.area.needed')), complain: complaint.say,
  };
}

/**
 * The weekly hours: a list of spans, and a row to add one.
 * @param {Span[]} given
 */
function weeklyField(given) {
  let spans = joined(given);
  const list = h('ul', { class: 'visit-spans' });
  const day = selectField({
    name: 'weekday', label: translate('watch.weekday'), value: '6',
    options: [1, 2, 3, 4, 5, 6, 7].map((one) => [String(one), dayName(one)]),
  });
  const time = (/** @type {string} */ name, /** @type {readonly string[]} */ times, /** @type {string} */ value) => (
    selectField({ name, label: translate(`volunteer.${name}`), value, options: times.map((one) => [one, one]) }));
  const from = time('from', TIMES.slice(0, -1), '10:00');
  const to = time('to', TIMES.slice(1), '12:00');
  const group = h('fieldset', { class: 'field', tabindex: '-1' });
  const complaint = complaintFor(group, []);
  const words = (/** @type {Span} */ { weekday, from: start, to: end }) => `${dayName(weekday)} ${start}–${end}`;
  const draw = () => fill(list, ...spans.map((span) => h('li', {}, h('span', {}, words(span)),
    iconButton('close', translate('volunteer.hours.remove', { hours: words(span) }), {
      onclick: () => {
        spans = spans.filter((one) => one !== span);
        draw();
        add.focus();
      },
    }))));
  const add = h('button', {
    type: 'button', class: 'button', onclick: () => {
      const span = { weekday: Number(day.value()), from: from.value(), to: to.value() };
      if (span.from >= span.to) {
        complaint.say([translate('volunteer.hours.wrong')]);
        return;
      }
      complaint.say(null);
      const next = joined([...spans, span]);
      if (next.length > MOST_SPANS) return;
      spans = next;
      draw();
      toast(translate('volunteer.hours.added', { hours: words(span) }));
    },
  }, icon('plus'), translate('volunteer.hours.add'));
  fill(group, h('legend', { class: 'field-label' }, translate('volunteer.hours')),
    h('p', { class: 'field-note' }, translate('volunteer.hours.note', { zone: ownZone() })), list,
    h('div', { class: 'visit-hours' }, day.element, from.element, to.element), h('div', {}, add), complaint.element);
  draw();
  return {
    name: 'weekly', label: translate('volunteer.hours'), element: group, control: group, value: () => spans,
    fault: () => null, complain: complaint.say,
  };
}

/**
 * The preferred kinds; none: all.
 * @param {string[]} given
 */
function kindsField(given) {
  const boxes = [...allTerms('categories')?.values() ?? []].map((term) => ({
    term,
    box: /** @type {HTMLInputElement} */ (h('input', {
      type: 'checkbox', name: 'kinds', value: term.code, checked: given.includes(term.code), id: `kind-${term.code}`,
    })),
  }));
  const count = () => boxes.filter(({ box }) => box.checked).length;
  const summary = h('summary', {}, '');
  const draw = () => fill(summary,
    count() ? plural('volunteer.kinds.some', count()) : translate('volunteer.kinds.all'));
  const element = h('fieldset', { class: 'field' }, h('legend', { class: 'field-label' }, translate('volunteer.kinds')),
    h('details', {}, summary, h('div', { class: 'visit-kinds' }, ...boxes.map(({ term, box }) => (
      h('label', { class: 'check', for: `kind-${term.code}` }, box, h('span', {}, term.label)))))));
  element.addEventListener('change', draw);
  draw();
  const complaint = complaintFor(element, []);
  element.append(complaint.element);
  return {
    name: 'kinds', label: translate('volunteer.kinds'), element, control: summary,
    value: () => boxes.filter(({ box }) => box.checked).map(({ term }) => term.code),
    fault: () => null, complain: complaint.say,
  };
}
