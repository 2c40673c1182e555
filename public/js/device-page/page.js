// @ts-check
// Page of one device: all known and unknown facts, and the ways to correct them.

import { connection, getJSON, isAbort, Outage, Refusal } from '../api.js';
import { CanDo } from '../choices/section.js';
import { askedVerdict, asksForALook, readClaims } from '../claims/claims.js';
import { claimsOf } from '../claims/say.js';
import { claimList, statusRule } from '../claims/section.js';
import { stillThere } from '../claims/still-there.js';
import { readDevice } from '../devices/device.js';
import { sections } from '../devices/facts.js';
import { displayName, townOf } from '../devices/name.js';
import { PlaceMap, zoomFor } from '../devices/place-map.js';
import { drawRefusal } from '../devices/refusal.js';
import { shareButton } from '../devices/share.js';
import { marker, statusBadge, unknown } from '../devices/terms.js';
import { correctLink, editAddress } from '../devices/tools.js';
import { byId, fill, h, icon, keepUnfolded } from '../dom.js';
import { onPhotoSent } from '../drafts/photo-news.js';
import { openFlag } from '../flags/dialog.js';
import { formatList } from '../format.js';
import { fieldWords } from '../glossary/definition.js';
import { expectLanguage, language, translate } from '../i18n.js';
import { late } from '../late.js';
import { operatorAddress } from '../links.js';
import { ownership } from '../operators/ownership.js';
import { saidBy } from '../operators/statement.js';
import { instanceName } from '../page/brand.js';
import { sayLater } from '../page/later.js';
import { behindMore } from '../page/more.js';
import { findPlacesSoon, knownPlace } from '../places/nearest.js';
import { readPhotos } from '../photos/photos.js';
import { PhotoSection } from '../photos/section.js';
import { photosOf } from '../photos/sending.js';
import { routesAddress } from '../routes/address.js';
import { onSession, session, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { encodeView } from '../state.js';
import { categoryIcon, familyOf, label, scheme, term } from '../taxonomies.js';
import { expectMaplibre } from '../vendor.js';
import { followDevice } from '../watches/follow.js';
import { signButton } from './sign.js';
import { shownFacts, unknownFacts } from './unknown.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('../devices/facts.js').Section} Section */

const SCHEMES = [
  'categories', 'data', 'purposes', 'identifiability', 'processing', 'storage', 'recipients', 'legal_bases', 'signage',
  'operator_kinds', 'statuses', 'freshness', 'precisions', 'settings', 'zones', 'mounts', 'choices', 'bases',
  'glossary',
];

class DevicePage {
  /**
   * @param {string} id
   * @param {Promise<any>} ahead the response for the device, for the first time that it is read
   */
  constructor(id, ahead) {
    this.id = id;
    /** @type {Promise<any> | null} */
    this.ahead = ahead;
    this.map = new PlaceMap();
    this.photos = new PhotoSection((focus) => this.refresh(focus));
    this.can = new CanDo();
    /** The visits of the device, drawn by a module that is loaded later. */
    this.visits = h('div', { 'aria-busy': 'true' });
    /** The session with which the device was read. */
    this.readAs = session();
    /** Whether the device will be loaded again when the connection is back. */
    this.isWaiting = false;
    /** The statement requested in the URL, until it is sent. */
    this.asked = askedVerdict(location.search);
    this.address = addressOf(id);
  }

  async start() {
    const page = byId('content');
    try {
      await Promise.all(SCHEMES.map((name) => scheme(name)));
      const device = await this.read();
      this.draw(device);
      expectMaplibre(); // after the texts of the page
      sayLater();
      if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
      onSession(() => this.refresh());
      if (session() !== this.readAs) this.refresh(); // The session has arrived meanwhile.
      onPhotoSent(this.id, () => this.refresh());
      whenSession().catch(() => null); // starts the session request if needed; the listener above receives the result
      if (!(await this.map.draw(device))) page.classList.add('is-mapless');
    } catch (error) {
      if (error instanceof Outage) await connection.recovered().then(() => this.start());
      else if (error instanceof Refusal) drawRefusal(page, error);
      else if (!isAbort(error)) throw error;
    }
  }

  /**
   * Loads the device, including the statements of a signed-in user.
   * @returns {Promise<Device>}
   */
  async read() {
    const { ahead } = this;
    this.ahead = null;
    const feature = await (ahead ?? getJSON(this.address));
    this.readAs = session();
    if (this.readAs) {
      // After a failure the page still shows the public data.
      const [claims, photos] = await Promise.all([claimsOf, photosOf].map((ask) => ask(this.id).catch(() => null)));
      if (claims) feature.properties.claims = claims;
      if (photos) feature.properties.photos = photos;
    }
    const device = readDevice(feature);
    await findPlacesSoon([device.position]);
    return device;
  }

  /**
   * Loads the device again and keeps the focus and what is unfolded.
   * @param {string} [focus] id of the element to focus
   */
  async refresh(focus = document.activeElement?.id) {
    try {
      const device = await this.read();
      const { scrollX, scrollY } = window;
      keepUnfolded(byId('content'), () => this.draw(device));
      this.map.show(device);
      window.scrollTo(scrollX, scrollY);
      if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
    } catch (error) {
      if (error instanceof Refusal) drawRefusal(byId('content'), error);
      else if (error instanceof Outage) await this.refreshLater(focus);
      else throw error;
    }
  }

  /**
   * Loads the device once the connection is back. Several calls meanwhile cause one request.
   * @param {string} [focus]
   */
  async refreshLater(focus) {
    if (this.isWaiting || connection.reach === 'fine') return;
    this.isWaiting = true;
    await connection.recovered();
    this.isWaiting = false;
    await this.refresh(focus);
  }

  /** @param {Device} device */
  draw(device) {
    document.title = `${displayName(device)} · ${instanceName()}`;
    const parts = sections(device);
    const today = new Date().toISOString().slice(0, 10);
    this.photos.draw(device);
    this.can.draw(device);
    late(import('../visits/section.js')).then(({ drawVisits }) => drawVisits(this.visits, device))
      .catch(() => undefined)
      .finally(() => this.visits.removeAttribute('aria-busy'));
    const said = saidBy(device);
    const hasPhotos = readPhotos(device.properties.photos).length > 0;
    const drawn = parts.map((part) => [part.id, factSection(part, device, this.more(part.id, device, today), said)]);
    fill(byId('content'),
      this.head(device),
      this.map.isPossible && this.map.element,
      h('div', { class: 'device-sections' },
        asksForALook(device, today) && !saysItIsGone(device)
          && stillThere(device, () => this.refresh('claim-present')),
        hasPhotos && this.photos.element,
        ...drawn.filter(([id]) => id !== 'record').map(([, section]) => section),
        this.visits,
        !hasPhotos && this.photos.element,
        unknownFacts(device.id, parts, said),
        ...drawn.filter(([id]) => id === 'record').map(([, section]) => section)));
  }

  /** @param {Device} device */
  head(device) {
    const path = `/devices/${device.id}`;
    return h('header', { class: 'device-head' },
      marker(categoryIcon(device.category), device.status, familyOf(device.category)),
      h('div', { class: 'device-words' },
        h('h1', { tabindex: '-1', class: 'said' }, displayName(device)),
        h('p', { class: 'device-sentence' }, sentence(device)),
        operatorLine(device),
        townLine(device),
        h('p', { class: 'device-status' }, statusBadge(device.status, true))),
      h('div', { class: 'device-acts' },
        h('a', { class: 'button primary', href: mapAddress(device) }, icon('map'), translate('device.on_map')),
        ...behindMore(
          h('a', { class: 'button', href: editAddress(device.id) }, icon('edit'), translate('device.edit')),
          h('a', { class: 'button', href: `${path}/history` }, icon('history'), translate('device.history')),
          h('a', { class: 'button', href: routesAddress('past', device.position) }, icon('compass'),
            translate('routes.quiet_past')),
          shareButton(displayName(device), path),
          signButton(device),
          followDevice(device.id, displayName(device)),
          h('button', {
            type: 'button', class: 'button', id: 'flag-device',
            onclick: () => openFlag({ type: 'device', id: device.id }),
          }, icon('flag'), translate('device.flag')))));
  }

  /**
   * Further content of a section.
   * @param {string} section
   * @param {Device} device
   * @param {string} today
   * @returns {Node[]}
   */
  more(section, device, today) {
    if (section === 'sure') return this.claims(device, today);
    if (section === 'who') return ownership(device, () => this.refresh());
    return section === 'can' ? [this.can.element] : [];
  }

  /** @param {Device} device @param {string} today */
  claims(device, today) {
    if (this.asked && session()) history.replaceState(history.state, '', `${location.pathname}${location.hash}`);
    const said = (/** @type {string} */ focus) => {
      this.asked = null;
      return this.refresh(focus);
    };
    return [claimList(readClaims(device.properties.claims), { id: device.id, today, said }, this.asked), statusRule()];
  }
}

/**
 * A section with its recorded facts; null without any content.
 * @param {Section} part
 * @param {Device} device
 * @param {Node[]} more
 * @param {import('../operators/statement.js').Said} said
 */
function factSection(part, device, more, said) {
  const facts = shownFacts(part, said);
  if (!facts.length && !part.more && !more.length) return null;
  return h('section', { class: 'fact-section', 'aria-labelledby': `section-${part.id}` },
    h('h2', { id: `section-${part.id}` }, translate(part.title)),
    facts.length > 0 && h('dl', { class: 'facts' }, ...facts.map((fact) => h('div', {},
      h('dt', {}, fieldWords(fact.field)),
      h('dd', {}, fact.value ?? unknown(), correctLink(device.id, fact.field), said(fact.field))))),
    part.more ?? null,
    ...more,
    part.id === 'can' && h('p', { class: 'section-act' },
      h('a', { href: editAddress(device.id, 'choices') }, icon('edit'), translate('device.edit.choices'))));
}

/**
 * Whether the user has already said that the device is not there.
 * @param {Device} device
 */
function saysItIsGone(device) {
  return readClaims(device.properties.claims).some(({ claim, mine }) => claim === 'present' && mine === 'dispute');
}

/** @param {Device} device */
function sentence(device) {
  const category = label('categories', device.category);
  if (!device.dataCollected.length) return translate('device.sentence.unknown', { category });
  const data = formatList(device.dataCollected.map((code) => label('data', code).toLocaleLowerCase(language())),
    language());
  return translate('device.sentence', { category, data });
}

/**
 * The operator, or the question to the reader. A household is never named.
 * @param {Device} device
 */
function operatorLine({ id, operator, category, status }) {
  const isHousehold = operator.kind === 'household' || term('categories', category)?.household === true;
  if (isHousehold || status === 'removed' || status === 'not_a_device') return null;
  return h('p', { class: 'device-operator' }, icon('city'), operator.name
    ? h('span', {}, `${translate('device.who')}: `,
      h('a', { href: operatorAddress(operator.name), class: 'said' }, operator.name))
    : h('span', {}, translate('device.operator.unknown'), ' ',
      h('a', { href: editAddress(id, 'operator') }, translate('device.operator.ask'))));
}

/**
 * The town, with its region and country.
 * @param {Device} device
 */
function townLine(device) {
  const words = townOf(knownPlace(device.position));
  return words && h('p', { class: 'device-town' }, icon('pin'), h('span', {}, words));
}

/** @param {Device} device */
function mapAddress(device) {
  const [longitude, latitude] = device.position;
  return `/?device=${device.id}#${encodeView({ longitude, latitude, zoom: zoomFor(device.precision) })}`;
}

/** @param {string} id */
function addressOf(id) {
  return `/api/collections/devices/items/${encodeURIComponent(id)}`;
}

async function start() {
  const id = decodeURIComponent(location.pathname.split('/').filter(Boolean).pop() ?? '');
  expectLanguage(); // Requests name it before the words of the page have arrived.
  const ahead = getJSON(addressOf(id)); // first of all: six requests are sent at a time
  ahead.catch(() => undefined); // The page handles errors.
  for (const name of SCHEMES) scheme(name).catch(() => undefined);
  await startShell();
  await new DevicePage(id, ahead).start();
}

start();
