// @ts-check
// The street walk: leads to the nearest device that needs a look, and takes one answer at each. The position stays in
// this page, and answers wait in this browser until they are sent.

import { connection, Outage, Refusal } from '../api.js';
import { displayName } from '../devices/name.js';
import { byId, fill, h, icon } from '../dom.js';
import { formatDistance } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { announce } from '../page/notices.js';
import { locateTrouble } from '../places/locate.js';
import { findPlaces } from '../places/nearest.js';
import { maybeSignedIn, onSession, session, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { counts, GRACE, isWaiting, newAnswer, withFacts } from '../walk/answer.js';
import { seenAt } from '../walk/carry.js';
import { deliver } from '../walk/deliveries.js';
import { blockOf, devicesAround } from '../walk/load.js';
import { focusOn, noticeQuestion } from '../walk/notice.js';
import { byDistance, noteHouseholds, target } from '../walk/order.js';
import { Sensors } from '../walk/sensors.js';
import { walkStore } from '../walk/store.js';
import { sendingWords, summary } from '../walk/summary.js';
import { TargetView } from '../walk/target.js';

/** @typedef {import('../claims/claims.js').Verdict} Verdict */
/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('../types').Position} Position */
/** @typedef {import('../walk/answer.js').WalkAnswer} WalkAnswer */

const SCHEMES = ['categories', 'statuses', 'signage'];
const NEXT = 3; // devices listed below the present one
const NAMED = 20; // devices whose towns are requested, for names that only repeat the category

class WalkPage {
  /** @param {import('../walk/store.js').WalkStore} store */
  constructor(store) {
    this.store = store;
    /** @type {WalkAnswer[]} */
    this.answers = [];
    /** @type {Map<string, Device>} */
    this.devices = new Map();
    /** @type {Set<string>} ids of devices that the person passed by */
    this.skipped = new Set();
    /** @type {import('../walk/carry.js').Seen[]} */
    this.seen = [];
    /** @type {Position | null} */
    this.here = null;
    this.accuracy = 0;
    /** @type {string | null} id */
    this.current = null;
    this.isChosen = false;
    this.block = '';
    this.isLoading = false;
    this.sensors = new Sensors({
      moved: (position, accuracy) => this.moved(position, accuracy),
      turned: () => this.target.point(this.sensors.heading, this.accuracy),
      failed: (error) => this.complain(translate(locateTrouble(error))),
    });
    this.target = new TargetView({
      answer: (device, verdict) => this.answer(device, verdict), skip: (device) => this.skip(device),
    });
    this.trouble = h('p', { class: 'complaint', role: 'alert' });
    this.trouble.hidden = true;
    this.tally = h('p', { class: 'walk-tally' });
    this.undo = h('div', { class: 'walk-undo', role: 'status' });
    this.question = h('div', {});
    this.place = h('div', { class: 'stack' });
    this.next = h('div', {});
    this.sending = h('div', { class: 'stack', role: 'status' });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.undoing = undefined;
    /** @type {HTMLElement | null} */
    this.body = null;
    /** @type {{draw: (answers: WalkAnswer[]) => void} | null} */
    this.end = null;
  }

  async start() {
    document.title = `${translate('walk.title')} · ${instanceName()}`;
    this.body = h('div', { class: 'stack' });
    fill(byId('content'), h('div', { class: 'walk' },
      h('header', { class: 'look-head' }, h('h1', { tabindex: '-1' }, translate('walk.title'))), this.body));
    this.answers = await this.store.all();
    this.store.onChange(() => this.reload());
    onSession(() => this.drawSending());
    whenSession().catch(() => null); // the listener above receives the result
    this.drawStart();
    const [categories] = await Promise.all(SCHEMES.map((name) => scheme(name).catch(() => null)));
    noteHouseholds(categories?.values() ?? []);
    await deliver();
  }

  async reload() {
    this.answers = await this.store.all();
    this.drawTally();
    this.drawSending();
    this.end?.draw(this.answers);
  }

  drawStart() {
    const { checked } = counts(this.answers);
    this.body && fill(this.body,
      h('p', { class: 'lead' }, translate('walk.lead')),
      h('ul', { class: 'points' },
        ...['position', 'offline', 'safe'].map((part) => h('li', {}, translate(`walk.lead.${part}`)))),
      !maybeSignedIn() && h('p', { class: 'aside-note' }, icon('info'), h('span', {}, translate('walk.account'))),
      this.store.isLasting ? null : h('p', { class: 'aside-note' }, icon('warning'),
        h('span', {}, translate('walk.not_kept'))),
      this.sending,
      h('div', { class: 'form-acts' },
        h('button', { type: 'button', class: 'button primary', onclick: () => this.walk() }, icon('locate'),
          translate(checked ? 'walk.continue' : 'walk.start')),
        checked > 0 && h('button', { type: 'button', class: 'button', onclick: () => this.anew() }, icon('refresh'),
          translate('walk.again')),
        h('a', { class: 'button', href: '/look' }, icon('list'), translate('walk.list'))),
      this.trouble);
    this.drawSending();
  }

  /** Starts or continues a walk. Called on a click, because browsers ask for the position. */
  async walk() {
    this.end = null;
    this.complain('');
    fill(this.place, h('p', { class: 'section-note', role: 'status' }, translate('walk.locating')));
    if (this.body) {
      fill(this.body, this.tally, this.trouble, this.question, this.place, this.undo, this.next,
        h('div', { class: 'form-acts' }, h('button', {
          type: 'button', class: 'button', onclick: () => this.finish(),
        }, icon('check'), translate('walk.finish'))));
    }
    this.drawTally();
    this.tally.focus();
    await this.sensors.start();
    if (this.here) this.draw();
  }

  /** Forgets the last walk and starts another one. */
  async anew() {
    await this.store.end();
    this.answers = await this.store.all();
    this.skipped.clear();
    this.seen = [];
    await this.walk();
  }

  finish() {
    this.sensors.stop();
    const { answers } = this;
    if (!answers.length) {
      this.drawStart();
      return;
    }
    const end = summary(answers, { again: () => this.anew(), more: () => this.walk() });
    this.end = end;
    if (this.body) fill(this.body, end.element);
    document.getElementById('walk-end')?.focus();
  }

  /** @param {string} words empty: no complaint */
  complain(words) {
    this.trouble.hidden = !words;
    fill(this.trouble, words && icon('warning'), words && h('span', {}, words));
    if (words && !this.here) fill(this.place);
  }

  /** @param {Position} position @param {number} accuracy metres */
  async moved(position, accuracy) {
    this.here = position;
    this.accuracy = accuracy;
    this.complain('');
    this.draw();
    if (!this.isLoading && this.block !== blockOf(position)) await this.load(position);
  }

  /**
   * Loads the devices around the person. Without a connection, those that were loaded stay.
   * @param {Position} here
   */
  async load(here) {
    this.isLoading = true;
    try {
      const { block, devices } = await devicesAround(here, new Date());
      this.block = block;
      for (const device of devices) this.devices.set(device.id, device);
      this.draw();
      const near = byDistance(devices, here).slice(0, NAMED).map(({ device }) => device.position);
      await findPlaces(near);
    } catch (error) {
      if (error instanceof Refusal) this.complain(error.message);
      else if (!(error instanceof Outage)) throw error;
      else {
        if (!this.devices.size) this.complain(translate('walk.nothing_kept'));
        connection.recovered().then(() => { if (this.here) this.load(this.here); });
      }
    } finally {
      this.isLoading = false;
    }
    if (this.here) this.draw();
  }

  /** The devices to check, the nearest first. */
  open() {
    const done = new Set(this.answers.map(({ device }) => device));
    const left = [...this.devices.values()].filter(({ id }) => !done.has(id) && !this.skipped.has(id));
    return this.here ? byDistance(left, this.here) : [];
  }

  draw() {
    if (!this.here || this.end || this.question.hasChildNodes()) return;
    const sorted = this.open();
    const aim = target(sorted, this.current, this.isChosen);
    if (!aim) {
      this.current = null;
      if (!this.isLoading) this.drawNothing();
      return;
    }
    if (aim.device.id !== this.current) this.isChosen = false;
    this.current = aim.device.id;
    if (this.place.firstChild !== this.target.element) fill(this.place, this.target.element);
    this.target.show(aim, this.sensors.heading, this.accuracy);
    this.drawNext(sorted.filter((one) => one !== aim).slice(0, NEXT));
  }

  drawNothing() {
    if (!this.block || this.place.querySelector('#walk-none')) return;
    fill(this.next);
    fill(this.place, h('section', { class: 'paper stack', 'aria-labelledby': 'walk-none' },
      h('h2', { id: 'walk-none', tabindex: '-1' }, translate('look.none')),
      h('p', {}, translate('walk.none')),
      this.skipped.size > 0 && h('div', {}, h('button', {
        type: 'button', class: 'button', onclick: () => {
          this.skipped.clear();
          this.draw();
        },
      }, icon('restore'), translate('walk.unskip')))));
    announce(translate('look.none'));
  }

  /** @param {ReturnType<typeof byDistance>} others */
  drawNext(others) {
    const ids = others.map(({ device, metres }) => `${device.id} ${Math.round(metres / 10)}`).join();
    if (this.next.dataset.shown === ids) return;
    this.next.dataset.shown = ids;
    const focused = document.activeElement?.getAttribute('data-lead');
    fill(this.next, others.length > 0 && h('section', { 'aria-labelledby': 'walk-next' },
      h('h2', { id: 'walk-next', class: 'walk-next-title' }, translate('walk.next')),
      h('ul', { class: 'walk-next' }, ...others.map(({ device, metres }) => h('li', {},
        h('button', {
          type: 'button', class: 'button', 'data-lead': device.id, onclick: () => {
            this.current = device.id;
            this.isChosen = true;
            this.draw();
            this.target.focus();
          },
        }, h('span', {}, h('bdi', {}, displayName(device))), ' ',
        h('span', { class: 'walk-next-far' }, formatDistance(metres, language()))))))));
    if (focused) /** @type {HTMLElement | null} */ (this.next.querySelector(`[data-lead="${focused}"]`))?.focus();
  }

  drawTally() {
    this.tally.setAttribute('tabindex', '-1');
    fill(this.tally, plural('walk.checked', counts(this.answers).checked));
  }

  drawSending() {
    const { waiting, refused } = counts(this.answers);
    fill(this.sending, ...(waiting + refused ? sendingWords(this.answers) : []));
  }

  /** @param {Device} device @param {Verdict} verdict */
  async answer(device, verdict) {
    const name = displayName(device);
    await this.store.put(newAnswer(device, verdict, { name, account: session()?.account.id ?? null, now: Date.now() }));
    this.answers = await this.store.all();
    this.drawUndo(device, verdict, name);
    const question = verdict === 'confirm' ? noticeQuestion(device, this.seen, (facts) => {
      this.learn(device, facts);
    }) : null;
    if (!question) {
      this.goOn(device, verdict === 'confirm');
      return;
    }
    fill(this.next);
    delete this.next.dataset.shown;
    fill(this.place);
    fill(this.question, question);
    focusOn(question);
  }

  /** @param {Device} device @param {import('../walk/carry.js').Facts | null} facts */
  async learn(device, facts) {
    if (facts) await this.store.change(device.id, (answer) => withFacts(answer, facts, Date.now()));
    this.goOn(device, true, facts ?? {});
  }

  /**
   * Leads to the next device.
   * @param {Device} device @param {boolean} isThere @param {Partial<import('../walk/carry.js').Facts>} [read]
   */
  goOn(device, isThere, read = {}) {
    if (isThere) this.seen = [seenAt(device, read), ...this.seen.filter((one) => one.device !== device.id)];
    fill(this.question);
    this.draw();
    (document.getElementById('walk-name') ?? document.getElementById('walk-none') ?? this.tally).focus();
  }

  /**
   * Shows *Undo* for some seconds after a tap.
   * @param {Device} device @param {Verdict} verdict @param {string} name
   */
  drawUndo(device, verdict, name) {
    clearTimeout(this.undoing);
    const hide = () => {
      // Not while the keyboard is on the button.
      if (this.undo.contains(document.activeElement)) this.undoing = setTimeout(hide, GRACE);
      else fill(this.undo);
    };
    fill(this.undo,
      h('p', {}, translate(`walk.said.${verdict}`), ' ', h('bdi', {}, name)),
      h('button', { type: 'button', class: 'button', onclick: () => this.takeBack(device) }, icon('restore'),
        translate('walk.undo')));
    this.undoing = setTimeout(hide, GRACE);
  }

  /** @param {Device} device */
  async takeBack(device) {
    clearTimeout(this.undoing);
    fill(this.undo);
    const answer = this.answers.find((one) => one.device === device.id);
    if (answer && !isWaiting(answer)) {
      this.complain(translate('walk.too_late'));
      return;
    }
    await this.store.remove(device.id);
    this.answers = await this.store.all();
    this.seen = this.seen.filter((one) => one.device !== device.id);
    fill(this.question);
    this.current = device.id;
    this.isChosen = true;
    this.draw();
    this.target.focus();
  }

  /** @param {Device} device */
  skip(device) {
    this.skipped.add(device.id);
    this.draw();
    (document.getElementById('walk-name') ?? document.getElementById('walk-none'))?.focus();
  }
}

startShell().then(async () => new WalkPage(await walkStore()).start());
