// @ts-check
// Devices near the person that need a look: old, disputed, unconfirmed, or with missing facts. One tap confirms or
// disputes that a device is there. For newcomers, the page is the way to a first contribution.

import { connection, getJSON, Outage, Refusal } from '../api.js';
import { stillThere } from '../claims/still-there.js';
import { feedLink } from '../data/feed.js';
import { ageWords } from '../devices/age.js';
import { readDevice } from '../devices/device.js';
import { displayName, isMade } from '../devices/name.js';
import { awayWords, facesWords, streetWords } from '../devices/row.js';
import { marker } from '../devices/terms.js';
import { editAddress } from '../devices/tools.js';
import { byId, fill, h, icon } from '../dom.js';
import { language, plural, translate } from '../i18n.js';
import { chosenFeatures } from '../map/chosen.js';
import { lastView } from '../map/last-view.js';
import { nameStreets } from '../map/named-streets.js';
import { PointsMap } from '../mapping/points-map.js';
import { instanceName } from '../page/brand.js';
import { announce } from '../page/notices.js';
import { settings } from '../page/start.js';
import { wayBackTo } from '../page/way-back.js';
import { locate, locateTrouble } from '../places/locate.js';
import { findPlacesSoon } from '../places/nearest.js';
import { maybeSignedIn, onSession, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { encodeView } from '../state.js';
import { AreaBox } from '../statistics/area-box.js';
import { categoryIcon, familyOf, label, scheme } from '../taxonomies.js';
import { feedParameters, needsPath, positionIn, REACHES, reasons } from './needs.js';
import { Steps } from './steps.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('../types').Position} Position */

const FEW = 3; // devices in a reach that are enough
const ZOOM = 16; // of the map to which the page links
const CLOSE = 19; // of the map with one device: those beside it are apart

class LookPage {
  constructor() {
    this.steps = new Steps();
    this.account = h('p', { class: 'section-note' });
    this.trouble = h('p', { class: 'complaint', role: 'alert' });
    this.trouble.hidden = true;
    this.found = h('section', { class: 'look-found', 'aria-labelledby': 'look-title' });
    /** @type {PointsMap | null} */
    this.map = null;
    /** @type {Device[]} */
    this.devices = [];
    this.locate = h('button', { type: 'button', class: 'button primary', onclick: () => this.findMe() },
      icon('locate'), translate('look.locate'));
    this.area = new AreaBox({
      id: 'look-place', title: translate('look.place'), placeholder: translate('look.place.placeholder'),
      fixed: () => [], withCountries: false, choose: ({ place, name }) => {
        if (!place) return;
        this.area.show(name);
        this.show([place.longitude, place.latitude]).then(() => this.goToList());
      },
    });
  }

  async start() {
    document.title = `${translate('look.title')} · ${instanceName()}`;
    fill(byId('content'), h('div', { class: 'look' },
      h('header', { class: 'look-head' }, h('h1', { tabindex: '-1' }, translate('look.title')),
        h('p', { class: 'lead' }, translate('look.lead'))),
      h('section', { class: 'paper', 'aria-labelledby': 'look-steps' },
        h('h2', { id: 'look-steps' }, translate('look.steps')), this.steps.element, this.account),
      h('section', { class: 'paper look-where', 'aria-label': translate('look.step.where') },
        h('div', { class: 'form-acts' }, this.locate,
          h('a', { class: 'button', href: '/walk' }, icon('compass'), translate('menu.walk'))),
        this.area.element, this.trouble),
      this.found));
    onSession(() => this.drawAccount());
    this.drawAccount();
    whenSession().catch(() => null); // the listener above receives the result
    await Promise.all(['categories', 'statuses'].map((name) => scheme(name)));
    const given = positionIn(location.search);
    const view = lastView();
    if (given) await this.show(given);
    else if (view && view.zoom >= 10) await this.show([view.longitude, view.latitude], true);
  }

  drawAccount() {
    fill(this.account, maybeSignedIn() ? null : [
      `${translate('look.account')} `, h('a', { href: `/sign-up${wayBackTo(location)}` }, translate('menu.sign_up')),
    ]);
    this.account.hidden = maybeSignedIn();
  }

  async findMe() {
    this.complain('');
    this.locate.classList.add('is-busy');
    try {
      const { position } = await locate();
      await this.show(position);
      this.goToList();
    } catch (error) {
      this.complain(translate(locateTrouble(error)));
    }
    this.locate.classList.remove('is-busy');
  }

  /** On a phone the list is below the screen. */
  goToList() { document.getElementById('look-title')?.focus(); }

  /** @param {string} words empty: no complaint */
  complain(words) {
    this.trouble.textContent = words;
    this.trouble.hidden = !words;
  }

  /**
   * Shows the devices around a position.
   * @param {Position} here @param {boolean} [isGuess] whether the person has not said that they are there
   */
  async show(here, isGuess = false) {
    this.found.setAttribute('aria-busy', 'true');
    try {
      const { features, total, path } = await this.around(here);
      /** @type {Device[]} */
      const devices = features.map(readDevice);
      await findPlacesSoon(devices.map(({ position }) => position));
      if (!isGuess) this.steps.finish('where');
      this.draw(devices, { total, path, here, isGuess });
    } catch (error) {
      if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
      this.complain(error.message || translate('outage'));
      if (error instanceof Outage) connection.recovered().then(() => this.show(here, isGuess));
    }
    this.found.removeAttribute('aria-busy');
  }

  /**
   * The devices in the smallest reach with a few of them.
   * @param {Position} here
   */
  async around(here) {
    let answer = { features: [], numberMatched: 0 };
    let path = '';
    for (const reach of REACHES) {
      path = needsPath(here, reach, new Date());
      answer = await getJSON(path);
      if (answer.features.length >= FEW) break;
    }
    return { features: answer.features, total: answer.numberMatched, path };
  }

  /** @param {Device[]} devices @param {{total: number, path: string, here: Position, isGuess: boolean}} list */
  draw(devices, { total, path, here, isGuess }) {
    const [longitude, latitude] = here;
    const view = encodeView({ longitude, latitude, zoom: ZOOM });
    const title = h('h2', { id: 'look-title', tabindex: '-1' },
      devices.length ? plural('look.found', total) : translate('look.none'));
    fill(this.found, title,
      isGuess && h('p', { class: 'section-note' }, translate('look.guess')),
      devices.length > 0 && this.newMap().element,
      h('ol', { class: 'look-list' }, ...devices.map((device, index) => this.item(device, index, here))),
      h('p', { class: 'section-note' }, translate('look.missing'), ' ',
        h('a', { href: `/?add=new#${view}` }, translate('add.button'))),
      devices.length > 0 && h('p', {}, feedLink(() => feedParameters(path))));
    announce(title.textContent ?? '');
    this.drawMap(devices);
  }

  /** The map of the next list; the map of the list before frees its memory. */
  newMap() {
    this.map?.end();
    this.map = new PointsMap({
      label: translate('look.map'), isNumbered: true,
      choose: (index) => document.getElementById(`look-${index + 1}`)?.querySelector('a')?.focus(),
    });
    return this.map;
  }

  /** @param {Device[]} devices */
  async drawMap(devices) {
    this.devices = devices;
    const { map } = this;
    if (!map || !devices.length) return;
    const sights = devices.flatMap((device) => chosenFeatures(device).features
      .filter(({ properties }) => properties?.part === 'sight'));
    await map.show(devices.map(({ position }) => position), new Set(), sights);
    if (!map.view || map !== this.map) return;
    nameStreets(map.view.map, await settings(), language(), (streetOf) => {
      if (map !== this.map) return;
      for (const [index, device] of devices.entries()) {
        const street = document.querySelector(`#look-${index + 1} .look-street`);
        const words = streetWords(device, streetOf);
        if (street && words) street.textContent = words;
      }
    });
  }

  /** @param {Device} device @param {number} index @param {Position} here */
  item(device, index, here) {
    const today = new Date().toISOString().slice(0, 10);
    const number = index + 1;
    const item = h('li', { class: 'paper', id: `look-${number}` });
    const why = reasons(device, today);
    const question = h('div', {}, stillThere(device, () => this.said(item, question), 'h3'));
    fill(item,
      h('div', { class: 'look-device' },
        h('button', {
          type: 'button', class: 'look-number',
          'aria-label': translate('look.on_small_map', { number: String(number) }),
          onclick: () => {
            this.map?.element.scrollIntoView({ block: 'nearest' });
            this.map?.approach(index);
          },
        }, marker(categoryIcon(device.category), device.status, familyOf(device.category)), String(number)),
        h('div', {},
          h('h3', { class: 'said' }, h('a', { href: `/devices/${device.id}` }, displayName(device))),
          h('p', { class: 'look-facts' }, !isMade(device) && h('span', {}, label('categories', device.category)),
            h('span', { class: 'look-street' }), h('span', {}, awayWords(here, device.position)),
            facesWords(device) && h('span', {}, facesWords(device)), h('span', {}, ageWords(device, new Date())),
            h('a', { href: `/?device=${device.id}#${encodeView({
              longitude: device.position[0], latitude: device.position[1], zoom: CLOSE,
            })}` }, translate('device.on_map')))),
        h('ul', { class: 'look-reasons', 'aria-label': translate('look.why') },
          ...why.map((reason) => h('li', {}, translate(`look.reason.${reason}`))))),
      question, this.facts(device, why));
    return item;
  }

  /**
   * Links to add the missing facts.
   * @param {Device} device @param {import('./needs.js').Reason[]} why
   */
  facts(device, why) {
    const fields = /** @type {[string, string][]} */ ([['operator', 'operator'], ['data', 'data_collected']])
      .filter(([reason]) => why.some((one) => one === reason));
    if (!fields.length) return null;
    return h('p', { class: 'look-more' }, ...fields.map(([reason, field]) => h('a', {
      href: editAddress(device.id, field), onclick: () => this.steps.finish('fact'),
    }, icon('edit'), translate(`look.add.${reason}`))));
  }

  /** @param {HTMLElement} item @param {HTMLElement} question */
  said(item, question) {
    this.steps.finish('say');
    fill(question, h('p', { class: 'look-thanks', role: 'status', tabindex: '-1' }, icon('check'),
      translate(this.steps.isOver ? 'look.thanks' : 'look.thanks.next')));
    /** @type {HTMLElement | null} */ (item.querySelector('.look-thanks'))?.focus();
  }
}

startShell().then(() => new LookPage().start());
