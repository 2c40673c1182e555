// @ts-check
// The history of a device: all revisions, a comparison of any two, and a button to restore one.

import { connection, getAnswer, getJSON, Outage, Refusal, send } from '../api.js';
import { readDevice } from '../devices/device.js';
import { displayName, prepareName } from '../devices/name.js';
import { drawRefusal } from '../devices/refusal.js';
import { fieldName, VALUE_SCHEMES } from '../devices/value-words.js';
import { openDialog } from '../dialog.js';
import { byId, fill, h, icon } from '../dom.js';
import { textField } from '../fields/text.js';
import { formatList } from '../format.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { announce, toast } from '../page/notices.js';
import { signInAddress, troubleNodes } from '../page/trouble.js';
import { maybeSignedIn } from '../session.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { askedVersions, changedFields } from './compare.js';
import { authorWords, kindWords, momentWords, shortMoment } from './entry.js';
import { versionsTable } from './versions.js';

/** @typedef {import('./entry.js').Entry} Entry */
/** @typedef {import('../types').History} History */

class HistoryPage {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.address = `/api/collections/devices/items/${encodeURIComponent(id)}`;
    /** @type {Entry[]} */
    this.entries = [];
    /** @type {number | null} */
    this.next = null;
    this.name = '';
    this.etag = '';
    this.current = 0;
    this.list = h('div', { class: 'history-list' });
    this.compared = h('div', { class: 'history-compared', id: 'compared' });
    this.picker = h('div', { class: 'history-picker' });
  }

  async start() {
    byId('back').setAttribute('href', `/devices/${this.id}`);
    fill(byId('back'), icon('back'), translate('edit.back'));
    try {
      await Promise.all(VALUE_SCHEMES.map((name) => scheme(name)));
      await this.read();
    } catch (error) {
      if (error instanceof Outage) await connection.recovered().then(() => this.start());
      else if (error instanceof Refusal) drawRefusal(byId('content'), error);
      else throw error;
      return;
    }
    this.draw();
    await this.compare();
    if (/^#revision-\d+$/.test(location.hash)) this.goTo(location.hash.slice(1));
    addEventListener('popstate', () => this.compare());
  }

  /** Loads the current device and its latest revisions. */
  async read() {
    const [device, history] = await Promise.all([getAnswer(this.address), getJSON(`${this.address}/history`)]);
    const known = readDevice(device.body);
    await prepareName(known);
    this.name = displayName(known);
    this.etag = device.headers.get('ETag') ?? '';
    this.current = Number(device.body.properties?.revision) || 0;
    this.take(history, []);
  }

  /** @param {History} history @param {Entry[]} before */
  take(history, before) {
    this.entries = [...before, ...(Array.isArray(history.revisions) ? history.revisions : [])];
    this.next = Number.isInteger(history.next) ? history.next : null;
  }

  draw() {
    document.title = `${translate('history.title')}: ${this.name} · ${instanceName()}`;
    fill(byId('content'),
      h('header', { class: 'edit-title' },
        h('h1', { tabindex: '-1' }, translate('history.title')),
        h('p', { class: 'lead said', dir: 'auto' }, this.name),
        h('p', { class: 'section-note' }, translate('history.lead'))),
      this.picker, this.compared, this.list);
    this.drawList();
  }

  drawList() {
    this.drawPicker();
    const oldest = this.entries.at(-1);
    fill(this.list,
      h('h2', { id: 'history-all' }, plural('history.count', this.current)),
      h('ol', { class: 'revisions', 'aria-labelledby': 'history-all' },
        ...this.entries.map((entry) => this.item(entry))),
      this.next !== null
        && h('button', { type: 'button', class: 'button', id: 'history-more', onclick: () => this.more() },
          translate('list.more')),
      this.entries.length === 1 && oldest?.number === 1
        && h('p', { class: 'section-note' }, translate('history.only')));
  }

  /** @param {Entry} entry */
  item(entry) {
    const changed = changedFields(entry.changed);
    const { number } = entry;
    return h('li', { class: 'revision', id: `revision-${number}`, tabindex: '-1' },
      h('div', { class: 'revision-words' },
        h('p', { class: 'revision-head' },
          h('strong', {}, translate('history.revision', { number })), ' ',
          h('span', { class: 'chip' }, kindWords(entry.kind)),
          number === this.current && h('span', { class: 'chip is-on' }, translate('history.now'))),
        h('p', { class: 'revision-who' }, authorWords(entry), ', ', momentWords(entry.made_at)),
        entry.comment && h('blockquote', { class: 'said', dir: 'auto' }, entry.comment),
        changed.length > 0
          && h('p', { class: 'section-note' },
            translate('history.changed', { fields: formatList(changed.map(fieldName), language()) }))),
      h('div', { class: 'revision-acts' },
        number > 1
          && h('a',
            {
              class: 'button', href: `?from=${number - 1}&to=${number}`,
              onclick: (/** @type {MouseEvent} */ event) => this.follow(event, number - 1, number),
            },
            icon('compare'), translate('history.what_changed'),
            h('span', { class: 'visually-hidden' }, ` ${translate('history.revision', { number })}`)),
        number !== this.current && this.restoreButton(number, false)));
  }

  /**
   * @param {number} number @param {boolean} named whether the button names the revision, as no heading next to it does
   */
  restoreButton(number, named) {
    const version = ` ${translate('history.revision', { number }).toLocaleLowerCase(language())}`;
    return h('button',
      { type: 'button', class: 'button', id: named ? null : `restore-${number}`, onclick: () => this.restore(number) },
      icon('restore'), h('span', {}, translate('history.restore'),
        named ? version : h('span', { class: 'visually-hidden' }, version)));
  }

  /**
   * Scrolls to a revision and focuses it.
   * @param {string} id
   */
  goTo(id) {
    const item = document.getElementById(id);
    item?.scrollIntoView({ block: 'center' });
    item?.focus({ preventScroll: true });
  }

  /** Two lists from which the reader selects the revisions to compare. */
  drawPicker() {
    if (this.current < 2) {
      fill(this.picker);
      return;
    }
    const asked = askedVersions(location.search) ?? { from: this.current - 1, to: this.current };
    const numbers = Array.from({ length: Math.min(this.current, 500) }, (_, index) => this.current - index);
    const select = (/** @type {string} */ name, /** @type {number} */ chosen) =>
      /** @type {HTMLSelectElement} */ (h('select', { class: 'text-input', name, id: `pick-${name}` },
        ...numbers.map((number) => h('option', { value: number, selected: number === chosen },
          this.optionWords(number)))));
    const [from, to] = [select('from', asked.from), select('to', asked.to)];
    fill(this.picker, h('form', {
      class: 'pick', onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (from.value === to.value) announce(translate('history.same'));
        else this.go(Number(from.value), Number(to.value));
      },
    },
    ...[from, to].map((list) => h('p', {}, h('label', { for: list.id }, translate(`history.${list.name}`)), list)),
    h('button', { type: 'submit', class: 'button primary' }, icon('compare'), translate('history.compare'))));
  }

  /** @param {number} number */
  optionWords(number) {
    const entry = this.entries.find((one) => one.number === number);
    // Short, so that a phone shows all of it.
    return [translate('history.revision', { number }), entry && (entry.author ?? kindWords(entry.kind)),
      entry && shortMoment(entry.made_at)].filter(Boolean).join(' · ');
  }

  /** @param {MouseEvent} event @param {number} from @param {number} to */
  follow(event, from, to) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.go(from, to);
  }

  /** @param {number} from @param {number} to */
  go(from, to) {
    history.pushState(null, '', `?from=${Math.min(from, to)}&to=${Math.max(from, to)}`);
    this.compare(true);
  }

  /**
   * Shows the two versions that the address names.
   * @param {boolean} [focus] whether to move the focus to the comparison
   */
  async compare(focus = false) {
    this.drawPicker();
    const asked = askedVersions(location.search);
    if (!asked) {
      fill(this.compared);
      return;
    }
    this.compared.setAttribute('aria-busy', 'true');
    try {
      const [before, after] = await Promise.all(
        [asked.from, asked.to].map((number) => getJSON(`${this.address}/history/${number}`)),
      );
      const now = askedVersions(location.search);
      if (now?.from !== asked.from || now.to !== asked.to) return;
      fill(this.compared, versionsTable(before, after, {
        restore: (number) => (number === this.current ? null : this.restoreButton(number, true)),
        close: () => {
          history.pushState(null, '', location.pathname);
          this.compare();
          byId('content').querySelector('h1')?.focus();
        },
      }));
      if (focus) this.compared.querySelector('h2')?.focus();
    } catch (error) {
      fill(this.compared, h('p', { class: 'complaint', role: 'alert' }, icon('warning'), ...troubleNodes(error)));
      if (error instanceof Outage) connection.recovered().then(() => this.compare(focus));
    }
    this.compared.removeAttribute('aria-busy');
  }

  async more() {
    const last = this.entries.at(-1);
    if (this.next === null || !last) return;
    try {
      this.take(await getJSON(`${this.address}/history?before=${this.next}`), this.entries);
      this.drawList();
      const first = this.entries.find((entry) => entry.number < last.number);
      if (first) document.getElementById(`revision-${first.number}`)?.focus();
    } catch (error) {
      toast(error instanceof Refusal ? error.message : translate('outage'));
    }
  }

  /**
   * Asks for a comment, then makes an old version the current one. No data is lost: this adds one more revision.
   * @param {number} number
   */
  restore(number) {
    if (!maybeSignedIn()) {
      location.assign(signInAddress());
      return;
    }
    let words = '';
    const comment = textField({ value: '', labelledBy: '', changed: (value) => { words = value ?? ''; } },
      { most: 500, long: true, label: translate('history.restore.comment') });
    const trouble = h('p', { class: 'complaint', role: 'alert' });
    trouble.hidden = true;
    const go = /** @type {HTMLButtonElement} */ (h('button',
      { type: 'button', class: 'button primary', onclick: async () => {
        if (comment.check?.() === false) return;
        go.disabled = true;
        const voice = saidIn(trouble);
        const isDone = await steadily(voice, () => (
          send('POST', `${this.address}/history/${number}/restore`,
            { json: words ? { comment: words } : {}, headers: { 'If-Match': this.etag } })), {
            refused: async ({ status }) => {
              if (status !== 412) return false;
              await this.again(null).catch(() => {});
              voice.say([translate('history.restore.stale')]);
              return true;
            },
          });
        go.disabled = false;
        if (!isDone) return;
        dialog.close();
        await this.again('history.restored');
      } }, icon('restore'), translate('history.restore')));
    const dialog = openDialog({
      title: translate('history.restore.title', { number }),
      body: [h('p', {}, translate('history.restore.why')), comment.element, trouble],
      foot: [
        go,
        h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, translate('edit.discard.no')),
      ],
    });
  }

  /**
   * Reloads and redraws the page.
   * @param {string | null} said key of the message to show
   */
  async again(said) {
    await this.read();
    this.draw();
    await this.compare();
    if (!said) return;
    toast(translate(said));
    document.getElementById(`revision-${this.current}`)?.focus();
  }
}

startShell()
  .then(() => new HistoryPage(decodeURIComponent(location.pathname.split('/').filter(Boolean)[1] ?? '')).start());
