// @ts-check
// Visits: devices that need one, offers, requests, and the settings of volunteers.

import { connection, Outage } from '../api.js';
import { byId, fill, h, icon, keepUnfolded } from '../dom.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { toast } from '../page/notices.js';
import { signInAddress } from '../page/trouble.js';
import { onSession, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { Mine } from '../visits/mine.js';
import { Nearby } from './nearby.js';
import { offerCard } from '../visits/offer.js';
import { onOffers, readOffers } from '../visits/offers.js';
import { visitCard } from '../visits/visit.js';
import { mailedIn } from '../visits/visits.js';
import { VolunteerPart } from './volunteer.js';

/** @typedef {import('../visits/visits.js').Now} Now */

const PARTS = /** @type {const} */ (['nearby', 'mine', 'volunteer']);
/** @typedef {(typeof PARTS)[number]} Part */

class VisitsPage {
  /** @param {import('../session.js').Session | null} session */
  constructor(session) {
    this.session = session;
    this.now = h('div', { class: 'stack', id: 'visits-now', tabindex: '-1' });
    this.body = h('div', {});
    this.tabs = h('nav', { class: 'visit-tabs', 'aria-label': translate('visits.parts') });
    /** @type {Partial<Record<Part, {element: HTMLElement}>>} */
    this.parts = {};
    /** The subject of the mail that led here, until it has the focus. */
    this.mailed = mailedIn(location.hash);
    /** @type {Now | null} */
    this.latest = null;
  }

  async start() {
    document.title = `${translate('visits.title')} · ${instanceName()}`;
    fill(byId('content'), h('div', { class: 'visits' },
      h('header', { class: 'look-head' }, h('h1', { tabindex: '-1' }, translate('visits.title')),
        h('p', { class: 'lead' }, translate('visits.lead'))),
      this.now, !this.session && h('p', { class: 'aside-note' }, icon('info'), h('span', {},
        translate('visits.account'), ' ',
        h('a', { href: signInAddress(`/visits${location.hash}`) }, translate('menu.sign_in')))),
      this.tabs, this.body));
    await scheme('categories').catch(() => null);
    addEventListener('hashchange', async () => {
      this.mailed = mailedIn(location.hash); // a notification leads here
      await this.open();
      if (this.latest) this.meet(this.latest.offer, this.latest.visits);
    });
    onSession((now) => { if (Boolean(now) !== Boolean(this.session)) location.reload(); });
    if (this.session) {
      onOffers((now) => this.draw(now));
      await readOffers();
    }
    await this.open();
    this.mailed = null;
  }

  /** @returns {Part} */
  get part() {
    // A request that is not among the visits to make is one of the own requests.
    if (this.session && this.mailed?.kind === 'visit') return 'mine';
    const named = PARTS.find((part) => location.hash === `#${part}`);
    return this.session && named ? named : 'nearby';
  }

  /** Shows the part that the address names. */
  async open() {
    const { part } = this;
    fill(this.tabs, ...(this.session ? PARTS : []).map((name) => h('a', {
      href: `#${name}`, 'aria-current': name === part ? 'page' : null,
    }, translate(`visits.tab.${name}`))));
    const made = this.parts[part] ?? this.make(part);
    fill(this.body, made.element);
    if (!(made instanceof Mine)) return;
    const id = this.mailed?.id;
    await made.load();
    if (id) document.getElementById(`mine-${id}`)?.focus();
  }

  /** @param {Part} part @returns {{element: HTMLElement}} */
  make(part) {
    if (part === 'mine') return this.parts[part] = new Mine();
    if (part === 'volunteer') {
      const volunteer = new VolunteerPart();
      this.parts[part] = volunteer;
      loaded(() => volunteer.load());
      return volunteer;
    }
    const nearby = new Nearby(() => this.reread('visits-now'));
    this.parts[part] = nearby;
    nearby.start();
    return nearby;
  }

  /**
   * Reads what is true now, and moves the focus.
   * @param {string} [focus] id of a visit, or of an element
   */
  async reread(focus) {
    await readOffers();
    const { nearby, mine } = this.parts;
    if (nearby instanceof Nearby && this.part === 'nearby') nearby.load();
    if (mine instanceof Mine) mine.load();
    const element = focus && (document.getElementById(`visit-${focus}`) ?? document.getElementById(focus));
    (element || this.now).focus();
  }

  /** @param {Now} now */
  draw(now) {
    const before = this.latest?.offer;
    this.latest = now;
    const { offer, visits } = now;
    if (before && !offer && !visits.some(({ id }) => id === before.visit.id)) toast(translate('visit.offer.ended'));
    const changed = (/** @type {string} */ focus = 'visits-now') => this.reread(focus);
    const focused = this.now.contains(document.activeElement)
      ? document.activeElement?.getAttribute('data-act') ?? null : null;
    keepUnfolded(this.now, () => fill(this.now,
      offer && offerCard(offer, changed),
      visits.length > 0 && h('section', { class: 'stack', 'aria-labelledby': 'visits-todo' },
        h('h2', { id: 'visits-todo', tabindex: '-1' }, translate('visits.todo')),
        ...visits.map((visit) => visitCard(visit, changed)))));
    // A change that came by itself must not take the keyboard away.
    if (focused) /** @type {HTMLElement | null} */ (this.now.querySelector(`[data-act="${focused}"]`))?.focus();
    this.meet(offer, visits);
  }

  /**
   * Moves the focus to what the mail is about.
   * @param {Now['offer']} offer @param {Now['visits']} visits
   */
  meet(offer, visits) {
    const { mailed } = this;
    if (!mailed) return;
    if (mailed.kind === 'offer') {
      if (offer?.id === mailed.id) document.getElementById('offer-title')?.focus();
      else toast(translate('visit.offer.gone'));
    } else if (visits.some(({ id }) => id === mailed.id)) document.getElementById(`visit-${mailed.id}`)?.focus();
    else return;
    this.mailed = null;
  }
}

/**
 * Runs `act`, and again after an outage.
 * @param {() => Promise<void>} act
 */
async function loaded(act) {
  for (;;) {
    try {
      await act();
      return;
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      await connection.recovered();
    }
  }
}

async function start() {
  await startShell();
  const session = await whenSession();
  // A mail leads here: its offer or request belongs to an account.
  if (!session && mailedIn(location.hash)) {
    location.replace(signInAddress(`/visits${location.hash}`));
    return;
  }
  await new VisitsPage(session).start();
}

start();
