// @ts-check
// The areas that this browser watches, and what is new in them.

import { connection } from '../api.js';
import { readDevice } from '../devices/device.js';
import { shownName } from '../devices/name.js';
import { marker } from '../devices/terms.js';
import { ask, askText } from '../dialog.js';
import { byId, fill, h, icon } from '../dom.js';
import { schemesOf } from '../filters/words.js';
import { formatDay, formatMoment } from '../format.js';
import { download } from '../forms/copy.js';
import { viewOfBox } from '../geography.js';
import { language, plural, translate } from '../i18n.js';
import { boundsOf } from '../local-watches/area.js';
import { exported, imported, isSame, LARGEST } from '../local-watches/files.js';
import { canNotify, isNotifying, wantNotifications } from '../local-watches/notify.js';
import { keepReading, readOnce } from '../local-watches/poll.js';
import { watchStore } from '../local-watches/store.js';
import {
  cleanLabel, LONGEST_LABEL, MOST_WATCHES, newCount, newItems, newWatch, resumed, seen,
} from '../local-watches/watch.js';
import { areaWords, filterWords, newWords } from '../local-watches/words.js';
import { instanceName } from '../page/brand.js';
import { announce, toast } from '../page/notices.js';
import { startShell } from '../shell/shell.js';
import { emptyState, encodeState } from '../state.js';
import { categoryIcon, familyOf, label as termLabel, scheme } from '../taxonomies.js';
import { newID } from '../unique.js';
import { moveToAccount } from './move.js';

/** @typedef {import('../local-watches/watch.js').Watch} Watch */
/** @typedef {import('../local-watches/watch.js').Item} Item */
/** @typedef {import('../local-watches/store.js').WatchStore} WatchStore */

const SHOWN = 50; // items of a watch
const MAP = { width: 800, height: 600 }; // pixels of the map to which the page links

class WatchesPage {
  /** @param {WatchStore} store */
  constructor(store) {
    this.store = store;
    this.list = h('div', { class: 'watches' });
    this.state = h('p', { class: 'section-note', role: 'status' });
    this.acts = h('div', { class: 'form-acts' });
    this.file = /** @type {HTMLInputElement} */ (h('input', {
      type: 'file', accept: 'application/json,.json', class: 'visually-hidden', id: 'watches-file', tabindex: '-1',
      'aria-hidden': 'true', onchange: () => this.read(),
    }));
    this.isReading = false;
    // Incremented by each drawing, so that a late drawing is recognised and left out.
    this.turn = 0;
  }

  async start() {
    document.title = `${translate('local_watch.title')} · ${instanceName()}`;
    fill(byId('content'), h('div', { class: 'look' },
      h('header', { class: 'look-head' }, h('h1', { tabindex: '-1' }, translate('local_watch.title')),
        h('p', { class: 'lead' }, translate('local_watch.page.lead'))),
      this.acts, this.state, this.list, this.privacy(), this.file));
    await this.draw();
    this.store.onChange(() => this.draw());
    connection.onChange(() => this.drawState());
  }

  privacy() {
    return h('section', { class: 'paper', 'aria-labelledby': 'watch-privacy' },
      h('h2', { id: 'watch-privacy' }, translate('local_watch.privacy')),
      h('p', {}, translate('local_watch.privacy.server')), h('p', {}, translate('local_watch.privacy.open')),
      h('p', {}, translate(this.store.isLasting ? 'local_watch.privacy.kept' : 'local_watch.not_kept')));
  }

  async draw() {
    this.turn += 1;
    const { turn } = this;
    const watches = await this.store.all();
    const schemes = ['categories', 'statuses', ...schemesOf(watches.map(({ filters }) => filters))];
    await Promise.all(schemes.map((name) => scheme(name).catch(() => null)));
    if (turn !== this.turn) return;
    // Redrawing must not take the focus away.
    const focused = document.activeElement?.getAttribute('data-act') ?? '';
    fill(this.list, ...watches.map((watch) => this.card(watch)), watches.length === 0 && empty());
    this.drawActs(watches);
    await this.drawState();
    if (focused) /** @type {HTMLElement | null} */ (document.querySelector(`[data-act="${focused}"]`))?.focus();
  }

  async drawState() {
    const at = (await this.store.all()).length ? await this.store.checkedAt() : 0;
    const isAway = connection.reach !== 'fine';
    this.state.textContent = this.isReading ? translate('local_watch.checking')
      : isAway ? translate('local_watch.away')
        : at ? translate('local_watch.checked', { time: formatMoment(new Date(at).toISOString(), language()) }) : '';
    this.state.hidden = !this.state.textContent;
  }

  /** @param {Watch[]} watches */
  drawActs(watches) {
    const isOn = isNotifying();
    fill(this.acts,
      watches.length > 0 && this.button('check', 'refresh', 'local_watch.check', () => this.check()),
      watches.length > 0 && canNotify() && h('button', {
        type: 'button', class: 'button', 'data-act': 'notify', 'aria-pressed': String(isOn),
        onclick: () => this.toggleNotices(!isOn),
      }, icon(isOn ? 'check' : 'bell'), translate('local_watch.notify')),
      watches.length > 0 && this.button('export', 'download', 'local_watch.export', async () => {
        download(new Blob([exported(await this.store.all())], { type: 'application/json' }), 'farol-watches.json');
      }),
      this.button('import', 'upload', 'local_watch.import', () => this.file.click()));
  }

  /** @param {string} act @param {string} symbol @param {string} key @param {() => unknown} onclick */
  button(act, symbol, key, onclick) {
    return h('button', { type: 'button', class: 'button', 'data-act': act, onclick }, icon(symbol), translate(key));
  }

  async check() {
    const before = await this.total();
    this.isReading = true;
    await this.drawState();
    const isReached = await readOnce(true);
    this.isReading = false;
    await this.draw();
    const more = await this.total() - before;
    if (!isReached) toast(translate('local_watch.failed'));
    else announce(more > 0 ? plural('local_watch.notice', more) : translate('local_watch.nothing'));
  }

  async total() { return (await this.store.all()).reduce((sum, watch) => sum + newCount(watch), 0); }

  /** @param {boolean} isWanted */
  async toggleNotices(isWanted) {
    const isOn = await wantNotifications(isWanted);
    await this.draw();
    const said = isOn ? 'on' : isWanted ? 'refused' : 'off';
    toast(translate(`local_watch.notify.${said}`));
  }

  /** @param {Watch} watch */
  card(watch) {
    const id = `watch-${watch.id}`;
    const count = newCount(watch);
    const fresh = newItems(watch);
    const old = watch.items.filter(({ isSeen }) => isSeen);
    return h('section', { class: `paper watch${watch.isPaused ? ' is-paused' : ''}`, 'aria-labelledby': id },
      h('div', { class: 'watch-head' }, h('h2', { id, tabindex: '-1', dir: 'auto' }, watch.label),
        watch.isPaused && h('span', { class: 'chip' }, translate('local_watch.paused'))),
      h('p', { class: 'watch-facts' }, h('span', {}, areaWords(watch.area)), h('span', {}, filterWords(watch.filters))),
      h('h3', {}, count ? newWords(count, watch.seenAt) : translate('local_watch.nothing_new')),
      watch.hasGap && h('p', { class: 'section-note' }, translate('local_watch.gap')),
      fresh.length > 0 && itemList(fresh),
      count > Math.min(fresh.length, SHOWN) && h('p', { class: 'section-note' },
        plural('local_watch.more', count - Math.min(fresh.length, SHOWN))),
      old.length > 0 && h('details', { class: 'watch-old' },
        h('summary', {}, plural('local_watch.old', old.length)), itemList(old)),
      h('div', { class: 'form-acts' }, ...this.actsOf(watch, count)));
  }

  /** @param {Watch} watch @param {number} count of new devices */
  actsOf(watch, count) {
    const { id, label } = watch;
    const act = (/** @type {string} */ name, /** @type {string} */ symbol, /** @type {() => unknown} */ onclick) => (
      h('button', {
        type: 'button', class: 'button', 'data-act': `${name}-${id}`,
        'aria-label': translate(`local_watch.${name}.of`, { label }), onclick,
      }, icon(symbol), translate(`local_watch.${name}`)));
    return [
      count > 0 && act('seen', 'check', async () => {
        await this.store.change(id, (now) => seen(now, Date.now()));
        await this.draw();
        byId(`watch-${id}`).focus();
      }),
      h('a', { class: 'button', href: mapAddress(watch), 'aria-label': translate('local_watch.map.of', { label }) },
        icon('map'), translate('local_watch.map')),
      act('rename', 'edit', () => this.rename(watch)),
      watch.isPaused
        ? act('resume', 'refresh', () => this.store.change(id, (now) => resumed(now, Date.now())))
        : act('pause', 'pause', () => this.store.change(id, (now) => ({ ...now, isPaused: true }))),
      act('move', 'account', () => this.move(watch)),
      act('delete', 'trash', () => this.remove(watch)),
    ];
  }

  /** @param {Watch} watch */
  async move(watch) {
    if (!await moveToAccount(watch)) return;
    await this.store.remove(watch.id);
    await this.draw();
    document.querySelector('h1')?.focus();
    toast(translate('local_watch.moved', { label: watch.label }));
  }

  /** @param {Watch} watch */
  async rename({ id, label }) {
    const given = await askText({
      title: translate('local_watch.rename'), label: translate('local_watch.label'),
      yes: translate('local_watch.rename.yes'), no: translate('form.cancel'), longest: LONGEST_LABEL, value: label,
    });
    const name = cleanLabel(given ?? '');
    if (name) await this.store.change(id, (now) => ({ ...now, label: name }));
  }

  /** @param {Watch} watch */
  async remove({ id, label }) {
    const answer = await ask({
      title: translate('local_watch.delete.of', { label }), words: translate('local_watch.delete.words'),
      answers: [
        { value: 'delete', label: translate('local_watch.delete'), look: 'grave' },
        { value: 'keep', label: translate('local_watch.keep') },
      ],
    });
    if (answer !== 'delete') return;
    await this.store.remove(id);
    await this.draw();
    document.querySelector('h1')?.focus();
    announce(translate('local_watch.deleted', { label }));
  }

  async read() {
    const [file] = this.file.files ?? [];
    this.file.value = '';
    if (!file) return;
    const found = file.size <= LARGEST ? imported(await file.text()) : null;
    if (!found) {
      toast(translate(file.size > LARGEST ? 'local_watch.import.large' : 'local_watch.import.wrong'));
      return;
    }
    const own = await this.store.all();
    const fresh = found.watches.filter((one) => !own.some((other) => isSame(one, other)))
      .slice(0, MOST_WATCHES - own.length);
    await this.store.add(...fresh.map((one) => newWatch(newID(), one, Date.now())));
    await this.draw();
    toast([plural('local_watch.imported', fresh.length),
      found.refused > 0 && plural('local_watch.import.refused', found.refused)].filter(Boolean).join(' '));
    if (fresh.length) readOnce(true).catch(() => undefined);
  }
}

function empty() {
  return h('section', { class: 'paper' }, h('p', {}, translate('local_watch.empty')),
    h('p', {}, h('a', { class: 'button primary', href: '/' }, icon('map'), translate('local_watch.empty.way'))));
}

/** @param {Item[]} items */
function itemList(items) {
  return h('ul', { class: 'watch-items' }, ...items.slice(0, SHOWN).map((item) => {
    const device = readDevice(item.feature);
    // Without the nearest town: a request for it would reveal the position of the device to the server.
    const facts = [
      translate(`local_watch.kind.${item.kind}`), termLabel('categories', device.category), device.operator.name,
      formatDay(new Date(item.at).toISOString(), language()),
    ];
    return h('li', {}, marker(categoryIcon(device.category), device.status, familyOf(device.category)),
      h('div', {}, h('a', { class: 'said', href: `/devices/${item.id}`, dir: 'auto' }, shownName(device, null)),
        h('p', { class: 'watch-facts' }, ...facts.map((fact) => fact && h('span', {}, fact)))));
  }));
}

/** @param {Watch} watch */
function mapAddress({ area, filters }) {
  const view = viewOfBox(boundsOf(area), MAP.width, MAP.height);
  return encodeState({ ...emptyState(), filters, view, place: area.type === 'place' ? area.place : null })
    .replace(/^\.\//, '/');
}

startShell().then(async () => {
  await new WatchesPage(await watchStore()).start();
  keepReading();
});
