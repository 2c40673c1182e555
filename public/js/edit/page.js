// @ts-check
// Page for correcting a device.

import { connection, getAnswer, getJSON, Outage, Refusal, send } from '../api.js';
import { readDevice } from '../devices/device.js';
import { displayName, prepareName } from '../devices/name.js';
import { QUESTIONS } from '../devices/record.js';
import { drawRefusal } from '../devices/refusal.js';
import { VALUE_SCHEMES } from '../devices/value-words.js';
import { ask } from '../dialog.js';
import { byId, fill, h, icon } from '../dom.js';
import { steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { laterToast } from '../page/later.js';
import { announce, toast } from '../page/notices.js';
import { signInAddress, troubleNodes } from '../page/trouble.js';
import { onSession, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { isEmpty, newEdit, patchOf } from './edit.js';
import { EditForm } from './form.js';
import { forget, keep, kept } from './kept.js';
import { fieldsInWords, MergeView } from './merge-view.js';
import { compare, isClear, rebased } from './merge.js';
import { editAsText } from './words.js';

/** @typedef {import('../types').DeviceFeature} DeviceFeature */
/** @typedef {import('../types').Point} Point */
/** @typedef {import('./edit.js').Edit} Edit */
/** @typedef {import('./merge.js').Choice} Choice */
/** @typedef {{feature: DeviceFeature, etag: string}} Version */

class EditPage {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.address = `/api/collections/devices/items/${encodeURIComponent(id)}`;
    /** @type {Edit | null} */
    this.edit = null;
    /** @type {EditForm | null} */
    this.form = null;
    /** @type {string | null} */
    this.account = null;
    /** @type {Promise<Point | null> | undefined} */
    this.truePlace = undefined;
    /** Whether the response to a save was lost, so that the server may have saved it already. */
    this.mayHaveArrived = false;
    const field = new URLSearchParams(location.search).get('field') ?? '';
    this.only = QUESTIONS.includes(field) ? field : null;
  }

  async start() {
    byId('back').setAttribute('href', `/devices/${this.id}`);
    fill(byId('back'), icon('back'), translate('edit.back'));
    const [found] = await Promise.all([
      whenSession(), ...[...VALUE_SCHEMES, 'bases', 'glossary'].map((name) => scheme(name)),
    ]);
    this.account = found?.account.id ?? null;
    const saved = await kept(this.id, this.account).catch(() => null);
    try {
      const version = await this.read();
      await this.begin(saved, version);
    } catch (error) {
      if (error instanceof Outage) {
        if (saved) await this.begin(saved, { feature: saved.base, etag: saved.etag });
        else await connection.recovered().then(() => this.start());
      } else if (error instanceof Refusal) this.lost(error, saved);
      else throw error;
    }
    connection.onRecovery(() => this.form?.say([translate('edit.recovered')]));
    onSession((session) => { if ((session?.account.id ?? null) !== this.account) location.reload(); });
  }

  /** @returns {Promise<Version>} */
  async read() {
    const { body, headers } = await getAnswer(this.address);
    return { feature: body, etag: headers.get('ETag') ?? '' };
  }

  /** Loads the true position once. The server returns it only to the author and moderators. */
  async readPlace() {
    if (!this.account || (this.edit?.base.properties?.precision ?? 'exact') === 'exact') return null;
    this.truePlace ??= getJSON(`${this.address}/location`).catch(() => null);
    const point = (await this.truePlace)?.coordinates;
    return Array.isArray(point) && point.every(Number.isFinite)
      ? /** @type {[number, number]} */ ([point[0], point[1]])
      : null;
  }

  /**
   * Shows the form, including an earlier unsaved edit.
   * @param {Edit | null} saved @param {Version} version
   */
  async begin(saved, version) {
    await prepareName(readDevice(version.feature));
    if (!saved) {
      this.drawForm(newEdit(version.feature, version.etag, this.account));
      return;
    }
    if (saved.etag === version.etag || version.feature === saved.base) {
      this.drawForm(saved, [translate('edit.kept')]);
      return;
    }
    const merge = compare(saved, version.feature);
    if (!isClear(merge)) {
      this.drawMerge(saved, version);
      return;
    }
    const edit = rebased(saved, version.feature, version.etag, merge, {}, Date.now());
    this.drawForm(edit, [
      translate('edit.kept'), ' ',
      merge.theirs.length ? translate('edit.kept.changed', { fields: fieldsInWords(merge.theirs) }) : '',
    ]);
  }

  /** @param {Edit} edit @param {(Node | string)[]} [news] */
  drawForm(edit, news = []) {
    this.edit = edit;
    const name = displayName(readDevice(edit.base));
    document.title = `${translate('edit.title', { name })} · ${instanceName()}`;
    const form = new EditForm({
      edit: () => /** @type {Edit} */ (this.edit),
      update: (next) => this.update(next),
      save: () => this.save(),
      discard: () => this.discard(),
      isSignedIn: this.account !== null, truePlace: () => this.readPlace(), only: this.only,
    });
    this.form = form;
    form.tell(news);
    fill(byId('content'),
      h('header', { class: 'edit-title' },
        h('h1', { tabindex: '-1' }, translate('edit.heading')),
        h('p', { class: 'lead said', dir: 'auto' }, name),
        h('p', { class: 'section-note' }, translate('edit.lead'))),
      form.element);
    form.begin();
  }

  /** @param {Edit} next */
  update(next) {
    this.edit = next;
    this.form?.draw();
    keep(next).catch(() => {}); // storage is full or blocked: the edit lasts until the page closes
  }

  async save() {
    const { edit, form } = this;
    if (!edit || !form) return;
    if (!this.account) {
      await keep(edit).catch(() => {});
      location.assign(signInAddress());
      return;
    }
    form.busy(true);
    const isSaved = await steadily({
      say: (words) => form.say(words ? [h('p', {}, ...words), h('p', {}, translate('edit.kept.here'))] : []),
      isWanted: () => this.form === form,
    }, () => this.send(this.edit ?? edit), {
      refused: async (refusal) => {
        form.busy(false);
        await this.refused(refusal, this.edit ?? edit);
        return true;
      },
    });
    form.busy(false);
    if (isSaved) await this.done('edit.saved');
  }

  /** @param {Edit} edit */
  async send(edit) {
    try {
      await send('PATCH', this.address, {
        json: patchOf(edit), headers: { 'Content-Type': 'application/merge-patch+json', 'If-Match': edit.etag },
      });
    } catch (error) {
      if (error instanceof Outage) this.mayHaveArrived = true;
      throw error;
    }
  }

  /** @param {string} key */
  async done(key) {
    await forget(this.id, this.account).catch(() => {});
    laterToast(key);
    location.assign(`/devices/${this.id}`);
  }

  /**
   * Handles a refused save. The entered text is never lost.
   * @param {Refusal} error @param {Edit} edit
   */
  async refused(error, edit) {
    const { form } = this;
    const { status, problem } = error;
    if (status === 412) await this.stale(problem, edit);
    else if (status === 410 || status === 404) this.lost(error, edit);
    else if (problem.errors?.length && form) {
      form.say([h('p', {}, translate('edit.faults'))]);
      await form.complain(problem.errors);
    } else form?.say([h('p', {}, ...troubleNodes(error)), h('p', {}, translate('edit.kept.here'))]);
  }

  /**
   * The device has changed since loading: another person saved first, or an earlier identical
   * request succeeded and its response was lost.
   * @param {import('../api.js').Problem} problem @param {Edit} edit
   */
  async stale(problem, edit) {
    const version = problem.current && problem.etag
      ? { feature: problem.current, etag: problem.etag }
      : await this.readSteadily();
    const merge = compare(edit, version.feature);
    if (this.mayHaveArrived && isClear(merge)
      && isEmpty(rebased(edit, version.feature, version.etag, merge, {}, Date.now()))) {
      await this.done('edit.saved');
      return;
    }
    this.drawMerge(edit, version);
  }

  /**
   * Loads the device, retrying during an outage.
   * @returns {Promise<Version>}
   */
  async readSteadily() {
    for (;;) {
      try {
        return await this.read();
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        await connection.recovered();
      }
    }
  }

  /** @param {Edit} edit @param {Version} version */
  drawMerge(edit, version) {
    const merge = compare(edit, version.feature);
    const take = (/** @type {Record<string, Choice>} */ choices) => {
      const next = rebased(edit, version.feature, version.etag, merge, choices, Date.now());
      this.edit = next;
      keep(next).catch(() => {});
      return next;
    };
    const view = new MergeView(merge, {
      id: this.id, category: String(version.feature.properties?.category ?? 'other'),
      since: Number.isInteger(edit.base.properties?.revision)
        ? /** @type {number} */ (edit.base.properties.revision)
        : null,
      save: async (choices) => {
        const next = take(choices);
        if (isEmpty(next)) {
          await this.done('merge.nothing_left');
          return;
        }
        if (!this.account) {
          location.assign(signInAddress());
          return;
        }
        const isSaved = await steadily({
          say: (words) => view.say(words ?? []), isWanted: () => view.element.isConnected,
        }, () => this.send(next), {
          refused: async (refusal) => {
            const hasFaults = Boolean(refusal.problem.errors?.length);
            if (!hasFaults && ![404, 410, 412].includes(refusal.status)) return false;
            if (hasFaults) this.drawForm(next);
            await this.refused(refusal, next);
            return true;
          },
        });
        if (isSaved) await this.done('edit.saved');
      },
      edit: (choices) => {
        this.only = null;
        this.drawForm(take(choices));
        document.querySelector('h1')?.focus();
      },
      drop: () => this.discard(),
    });
    this.form = null;
    fill(byId('content'), view.element);
    view.element.querySelector('h1')?.focus();
    announce(translate('merge.title'));
  }

  /**
   * The device no longer exists. The page still shows the entered text.
   * @param {Refusal} refusal @param {Edit | null} edit
   */
  lost(refusal, edit) {
    const text = edit && (!isEmpty(edit) || edit.comment.trim()) ? editAsText(edit) : '';
    this.form = null;
    drawRefusal(byId('content'), refusal, text ? h('section', { class: 'lost-edit', 'aria-labelledby': 'lost-edit' },
      h('h2', { id: 'lost-edit' }, translate('lost.title')),
      h('p', {}, translate('lost.why')),
      h('textarea', { class: 'text-input', readonly: true, rows: '6', 'aria-labelledby': 'lost-edit', dir: 'auto' },
        text),
      h('div', { class: 'form-acts' },
        h('button', { type: 'button', class: 'button', onclick: () => copy(text) }, icon('copy'),
          translate('lost.copy')),
        h('button', {
          type: 'button', class: 'button',
          onclick: () => forget(this.id, this.account).then(() => location.assign('/')),
        }, icon('trash'), translate('edit.discard')))) : null);
    byId('content').querySelector('h1')?.focus();
  }

  /** Discards the edit after confirmation. */
  async discard() {
    const answer = await ask({
      title: translate('edit.discard.title'), words: translate('edit.discard.why'),
      answers: [
        { value: 'keep', label: translate('edit.discard.no') },
        { value: 'drop', label: translate('edit.discard'), look: 'grave' },
      ],
    });
    if (answer !== 'drop') return;
    await forget(this.id, this.account).catch(() => {});
    location.assign(`/devices/${this.id}`);
  }
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(translate('lost.copied'));
  } catch {
    document.querySelector('textarea')?.select();
    toast(translate('lost.by_hand'));
  }
}

startShell().then(() => (
  new EditPage(decodeURIComponent(location.pathname.split('/').filter(Boolean)[1] ?? '')).start()));
