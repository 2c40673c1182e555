// @ts-check
// Quiet routes: a way that passes fewer devices, computed in this browser.

import { connection, Outage, Refusal } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { hide, isHiding } from '../exposure/decoys.js';
import { countPassed } from '../exposure/count.js';
import { isInCells, sensorsOf } from '../exposure/devices.js';
import { categoryList, kindBars, operatorList } from '../exposure/figures.js';
import { passedOn, SensorIndex } from '../exposure/model.js';
import { cellsOfWays } from '../exposure/regions.js';
import { download } from '../forms/copy.js';
import { translate } from '../i18n.js';
import { ChangeStream } from '../live/stream.js';
import { instanceName } from '../page/brand.js';
import { announce } from '../page/notices.js';
import { RouteError } from '../routes/errors.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { readHash } from '../routes/address.js';
import { RouteChoices } from './choices.js';
import { drawWay } from './draw-way.js';
import { picture, pictureLines } from './picture.js';
import { resultPart } from './result.js';
import { RouteMap } from './route-map.js';
import { StopList } from './stops.js';
import { Streets } from './streets.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {import('../exposure/sensor.js').Sensor} Sensor */

const PAUSE = 30; // milliseconds after a change until the way is computed again, while the slider still moves
const WORDS = 600; // milliseconds without another change until the result is announced
const GATHER = 3_000; // milliseconds during which changes of the map are taken together
const STREETS = 'farol streets EXTRACT.osm.pbf';
const WORLD = /** @type {import('../types').Box} */ ([-180, -90, 180, 90]);

class RoutesPage {
  constructor() {
    this.streets = new Streets();
    this.map = new RouteMap();
    this.stops = new StopList({ changed: () => this.stopsChanged(), pick: () => this.pick() });
    this.choices = new RouteChoices(() => this.later());
    this.said = h('p', { class: 'route-said', role: 'status' });
    this.result = h('div', { class: 'route-result' });
    /** Whether a way is being computed, and whether anything has changed or the button was pressed since. */
    this.isBusy = false;
    this.isStale = false;
    this.isPressed = false;
    /** Whether the user requested a way: then every change computes it again. */
    this.isAsked = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.saying = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.gathering = undefined;
    /** @type {ChangeStream | null} */
    this.stream = null;
  }

  async start() {
    document.title = `${translate('routes.title')} · ${instanceName()}`;
    fill(byId('content'),
      h('header', { class: 'look-head' }, h('h1', { tabindex: '-1' }, translate('routes.title')),
        h('p', { class: 'lead' }, translate('routes.lead'))),
      h('div', { class: 'routes-columns' },
        h('div', { class: 'routes-form' }, this.form(), this.said, this.result),
        this.map.element),
      privacy());
    await Promise.all(['categories', 'data'].map((name) => scheme(name).catch(() => null)));
    const wanted = readHash(location.hash);
    await this.map.draw(wanted.past ?? wanted.to ?? wanted.from);
    if (wanted.from) this.stops.set('from', wanted.from);
    if (wanted.to) this.stops.set('to', wanted.to, wanted.name || undefined);
    if (wanted.past) this.say(translate('routes.past'));
  }

  form() {
    const hiding = /** @type {HTMLInputElement} */ (h('input', {
      type: 'checkbox', id: 'hide-area', checked: isHiding(), onchange: () => hide(hiding.checked),
    }));
    return h('section', { class: 'paper', 'aria-labelledby': 'route-form' },
      h('h2', { id: 'route-form' }, translate('routes.form')),
      h('form', {
        class: 'route-form', onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.isAsked = true;
          this.compute(true);
        },
      }, this.stops.element, h('p', { class: 'field-note' }, translate('routes.search_note')), this.choices.element,
      h('label', { class: 'check', for: 'hide-area' }, hiding, h('span', {}, translate('exposure.hide'))),
      h('div', { class: 'form-acts' },
        h('button', { type: 'submit', class: 'button primary', 'data-act': 'go' }, icon('compass'),
          translate('routes.go')),
        h('button', {
          type: 'button', class: 'button', 'data-act': 'watched', onclick: () => this.watched(),
        }, icon('eye'), translate('routes.watched')))));
  }

  /** @param {string} words @param {boolean} [isFault] */
  say(words, isFault = false) {
    fill(this.said, words);
    this.said.classList.toggle('complaint', isFault);
  }

  /** @returns {Promise<Position | null>} */
  async pick() {
    const { view, place } = this.map;
    if (!view) {
      this.say(translate('routes.no_map'), true);
      return null;
    }
    const found = await drawWay(place, view, { isOne: true, show: () => undefined });
    return found?.[0] ?? null;
  }

  stopsChanged() {
    this.map.showStops(this.stops.stops.flatMap(({ position }) => (position ? [position] : [])));
    this.later();
  }

  later() {
    if (!this.isAsked || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.compute(false);
    }, PAUSE);
  }

  /** @param {boolean} isWanted whether the user pressed the button: then the result gets the focus */
  async compute(isWanted) {
    const stops = this.stops.positions;
    if (!stops) {
      if (isWanted) this.say(translate('routes.ends_missing'), true);
      return;
    }
    // One question at a time: the slider moves faster than a slow phone computes.
    if (this.isBusy) {
      this.isStale = true;
      this.isPressed ||= isWanted;
      return;
    }
    this.isBusy = true;
    await this.computeFor(stops, isWanted).finally(() => { this.isBusy = false; });
    if (!this.isStale) return;
    const wasPressed = this.isPressed;
    [this.isStale, this.isPressed] = [false, false];
    await this.compute(wasPressed);
  }

  /** @param {Position[]} stops @param {boolean} isWanted */
  async computeFor(stops, isWanted) {
    try {
      const { mode, kinds, share, limit } = this.choices;
      const answer = await this.streets.answer({ stops, mode, kinds, share, longer: limit }, (phase, done) => {
        if (phase !== 'way') this.say(translate(`routes.phase.${phase}`, { share: Math.round(done * 100) }));
      });
      this.say('');
      this.show(answer, mode);
      this.map.showRoutes(answer, isWanted);
      this.follow();
      if (isWanted) byId('route-result').focus();
    } catch (error) {
      fill(this.result);
      this.map.showRoutes(null, false);
      this.fault(error);
    }
  }

  /** @param {import('./engine.js').Answer} answer @param {import('../exposure/kinds.js').Mode} mode */
  show(answer, mode) {
    // The parts that are open stay open while the slider moves.
    const open = [...this.result.querySelectorAll('details[open]')].map((part) => part.getAttribute('data-part'));
    fill(this.result, resultPart(answer, mode));
    for (const part of this.result.querySelectorAll('details')) {
      part.open = open.includes(part.getAttribute('data-part'));
    }
    clearTimeout(this.saying);
    this.saying = setTimeout(
      () => announce(this.result.querySelector('.diary-sentence')?.textContent ?? ''), WORDS);
  }

  /** @param {unknown} error */
  fault(error) {
    const isFault = error instanceof RouteError;
    if (!isFault && !(error instanceof Outage || error instanceof Refusal)) throw error;
    const code = isFault ? error.code : connection.reach === 'fine' ? 'load' : 'offline';
    const words = translate(`routes.fault.${code}`);
    fill(this.said, h('span', {}, words, ...(code === 'no-streets'
      ? [' ', translate('routes.fault.no-streets.how'), ' ', h('code', {}, STREETS)] : [])));
    this.said.classList.add('complaint');
    clearTimeout(this.saying);
    announce(words);
  }

  /** Computes the way again when the devices on the map change. Listens to all of them, so the area stays unknown. */
  follow() {
    if (this.stream) return;
    this.stream = new ChangeStream((event, data) => {
      const { cells, sensors } = this.streets;
      const concerns = event === 'reload' || (event === 'removed'
        ? sensors.some(({ id }) => id === data.id) : isInCells(cells, data.geometry?.coordinates ?? [0, 0]));
      if (!concerns) return;
      clearTimeout(this.gathering);
      this.gathering = setTimeout(async () => {
        try {
          await this.streets.refresh(true, () => undefined);
          this.map.view?.reloadDevices();
          await this.compute(false);
          announce(translate('routes.recomputed'));
        } catch (error) {
          this.fault(error);
        }
      }, GATHER);
    });
    this.stream.follow(WORLD, new URLSearchParams());
  }

  /** Counts the devices on a way that the user draws. */
  async watched() {
    const { view, place } = this.map;
    if (!view) {
      this.say(translate('routes.no_map'), true);
      return;
    }
    const line = await drawWay(place, view, { isOne: false, show: (drawn) => this.map.showDrawn(drawn) });
    if (!line) {
      this.map.showDrawn([]);
      return;
    }
    const cells = cellsOfWays([line]);
    try {
      if (!cells) throw new RouteError('too-far');
      this.say(translate('routes.phase.devices', { share: 0 }));
      const index = new SensorIndex(await sensorsOf(cells));
      this.say('');
      this.showWatched(passedOn(index, line).map(({ sensor }) => sensor));
    } catch (error) {
      this.fault(error);
    }
  }

  /** @param {Sensor[]} passed */
  showWatched(passed) {
    const count = countPassed(passed);
    fill(this.result, h('section', { class: 'paper', 'aria-labelledby': 'route-result' },
      h('h2', { id: 'route-result', tabindex: '-1' }, translate('routes.watched.title')),
      h('p', { class: 'diary-sentence' },
        count.devices ? pictureLines(passed).join(' · ') : translate('routes.none_passed')),
      count.devices > 0
        && h('div', { class: 'diary-columns' }, kindBars(count), categoryList(count), operatorList(count)),
      h('p', { class: 'section-note' }, translate('routes.watched.note')),
      h('div', { class: 'form-acts' }, h('button', {
        type: 'button', class: 'button', 'data-act': 'picture', onclick: async () => {
          download(await picture(passed), 'how-watched.png');
        },
      }, icon('image'), translate('routes.picture')))));
    byId('route-result').focus();
  }
}

function privacy() {
  return h('section', { class: 'paper', 'aria-labelledby': 'routes-privacy' },
    h('h2', { id: 'routes-privacy' }, translate('diary.privacy')),
    h('p', {}, translate('routes.privacy.server')), h('p', {}, translate('routes.privacy.search')),
    h('p', {}, translate('routes.limits')),
    h('p', {}, h('a', { href: '/diary' }, translate('menu.diary'))));
}

startShell().then(() => new RoutesPage().start());
