// @ts-check
// Wizard that adds a device, one question at a time: shows a screen and handles next, back and
// close.

import { draftLike, isEditable, missing, newDraft, reopened } from '../drafts/draft.js';
import { translate } from '../i18n.js';
import { announce, toast } from '../page/notices.js';
import { newID } from '../unique.js';
import { draftFeatures } from './draft-features.js';
import { Frame } from './frame.js';
import { asked, following, progress, question } from './questions.js';
import { categoryScreen } from './screens/category.js';
import { deliveryScreen } from './screens/delivery.js';
import { draftsScreen } from './screens/drafts.js';
import { photosScreen } from './screens/photos.js';
import { placeScreen } from './screens/place.js';
import { questionScreen } from './screens/question.js';
import { reviewScreen } from './screens/review.js';
import { sameScreen } from './screens/same.js';
import { sendNow } from './send.js';

/** @typedef {import('../drafts/draft.js').Draft} Draft */
/** @typedef {import('../drafts/draft-store.js').DraftStore} DraftStore */
/** @typedef {import('../drafts/draft-store.js').DraftNews} DraftNews */
/** @typedef {import('../map/pane.js').MapPane} MapPane */
/** @typedef {import('../panel.js').Sheet} Sheet */
/** @typedef {import('../state.js').Store} Store */
/** @typedef {import('./questions.js').Question} Question */
/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {{label: string, act: () => void, symbol?: string, off?: boolean}} Act */
/**
 * @typedef {object} Screen
 * @property {string} title
 * @property {string | Node | null} [hint]
 * @property {(Node | string | null | false)[]} body
 * @property {'low' | 'half' | 'full'} room
 * @property {Act | null} primary
 * @property {Act | null} [secondary]
 * @property {boolean} [done] whether the screen offers to finish with the answers so far
 * @property {{sight?: boolean, cell?: boolean, zoom?: number} | null} [map] how the map shows the draft; null: it does
 *   not
 * @property {() => void} [shown]
 * @property {(news: DraftNews) => unknown} [heard] called after a change of the drafts
 * @property {() => void} [leave]
 */
/**
 * @typedef {object} WizardContext
 * @property {MapPane} pane
 * @property {Sheet} sheet
 * @property {Store} state
 * @property {DraftStore} drafts
 * @property {() => Promise<void>} deliver runs the outbox
 * @property {() => Promise<void>} wake runs the outbox without retry delays
 * @property {(id: string) => void} show shows a device on the map
 * @property {() => Device[]} near devices in view, for likely categories
 * @property {() => void} closed
 */

const SAVE = 250; // milliseconds after the last change

export class Wizard {
  /** @param {WizardContext} context */
  constructor(context) {
    this.context = context;
    /** @type {Draft} */
    this.draft = this.fresh();
    this.isStored = false;
    /** @type {Draft | null} the draft that the next one resembles */
    this.model = null;
    /** @type {{id: string | null, draft: Draft}[]} the devices that the user has just added in one street */
    this.row = [];
    /** Whether the draft has the answers of the one before, so that the wizard asks only for its place. */
    this.isLike = false;
    /** Whether the user has asked to send the draft, and compares it with similar devices first. */
    this.isSending = false;
    /** @type {{device: string, name: string} | null} the device that the draft became */
    this.sent = null;
    this.step = '';
    /** @type {string | null} step to return to from a question opened in the review */
    this.returnTo = null;
    /** @type {Screen | null} */
    this.screen = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Promise<unknown>} */
    this.saving = Promise.resolve();
    this.turn = 0;
    this.frame = new Frame({
      leave: () => this.leave(), review: () => this.go('review'), covers: (pixels) => context.sheet.lend(pixels),
    });
    this.onPop = () => this.travel();
    this.onHide = () => this.flush();
    context.drafts.onNews((news) => this.hear(news));
  }

  /** An empty draft. */
  fresh() {
    return newDraft(this.identity);
  }

  get identity() {
    return { id: newID(), key: newID(), now: Date.now() };
  }

  /** Opens a draft for one more device like the current one. */
  async beginLike() {
    this.model = this.draft;
    this.row = [...this.row, { id: this.sent?.device ?? null, draft: this.draft }];
    await this.begin('new');
  }

  get isOpen() {
    return this.frame.isOpen;
  }

  /**
   * Opens a draft at its last step, a `new` draft, or the list of `drafts`. The list also replaces a draft that was
   * sent or deleted meanwhile.
   * @param {string} id
   */
  async open(id) {
    const known = await this.context.drafts.get(id);
    // The user may have gone back meanwhile.
    if (this.context.state.current.adding !== id) return;
    this.isLike = !known && this.model !== null;
    if (!this.isLike) this.row = [];
    this.draft = known ?? (this.model ? draftLike(this.model, this.identity) : this.fresh());
    this.model = null;
    this.isStored = known !== null;
    this.sent = null;
    this.returnTo = null;
    this.enter();
    await this.show(known ? this.firstStep(known) : id === 'new' ? 'place' : 'drafts');
    history.replaceState({ add: this.step }, '');
  }

  /**
   * Whether a draft is the open one.
   * @param {string} id
   */
  has(id) {
    return this.isOpen && this.isStored && this.draft.id === id;
  }

  /**
   * Opens another draft from a screen of the current one.
   * @param {string} id id of a draft, or `new`
   */
  async begin(id) {
    await this.flush();
    if (id === this.context.state.current.adding) await this.open(id);
    else this.context.state.update({ adding: id }, 'push'); // the change of state opens it
  }

  /**
   * Closes the wizard and shows the added device on the map.
   * @param {string} device
   */
  showOnMap(device) {
    this.close();
    this.context.state.update({ adding: null }, 'push');
    this.context.show(device);
  }

  /** @param {Draft} draft */
  firstStep(draft) {
    if (draft.stage !== 'open') return 'delivery';
    const [lacking] = missing(draft);
    const kept = draft.step === 'review' || asked(draft).some((one) => one.id === draft.step) ? draft.step : 'review';
    return lacking && kept === 'review' ? lacking : kept;
  }

  enter() {
    if (this.isOpen) return;
    this.frame.open();
    addEventListener('popstate', this.onPop);
    addEventListener('pagehide', this.onHide);
    document.addEventListener('visibilitychange', this.onHide);
  }

  /** Closes the wizard and keeps the draft. */
  leave() {
    const kept = this.isStored && this.draft.stage === 'open';
    this.close();
    this.context.state.update({ adding: null }, 'push');
    if (kept) toast(translate(this.context.drafts.isLasting ? 'add.kept' : 'add.kept_here'));
  }

  /** Removes the wizard from the page. */
  close() {
    if (!this.isOpen) return;
    this.flush();
    this.screen?.leave?.();
    this.screen = null;
    this.turn += 1;
    this.step = '';
    removeEventListener('popstate', this.onPop);
    removeEventListener('pagehide', this.onHide);
    document.removeEventListener('visibilitychange', this.onHide);
    this.frame.close();
    this.context.pane.view?.describe(draftFeatures(null, { sight: false, cell: false }));
    this.context.closed();
  }

  /** Follows the back and forward buttons of the browser. */
  travel() {
    const step = history.state?.add;
    if (typeof step === 'string' && this.context.state.current.adding) this.show(step);
  }

  /**
   * Shows the next screen and adds it to the browser history.
   * @param {string} step
   */
  async go(step) {
    history.pushState({ add: step }, '');
    await this.show(step);
  }

  /**
   * Shows another screen in the same history entry.
   * @param {string} step
   */
  async replace(step) {
    history.replaceState({ add: step }, '');
    await this.show(step);
  }

  /** Continues after a question: with the next question, or with the review it was opened from. */
  async next() {
    if (this.returnTo) {
      const step = this.returnTo;
      this.returnTo = null;
      await this.go(step);
    } else await this.go(following(this.draft, this.step));
  }

  /** Sends the answers so far, or shows the first required question without an answer. */
  async finish() {
    this.returnTo = null;
    const [lacking] = missing(this.draft);
    await (lacking ? this.go(lacking) : sendNow(this));
  }

  /** @param {string} step */
  async show(step) {
    const turn = this.turn += 1;
    const screen = await this.make(step);
    if (turn !== this.turn || !this.isOpen) {
      screen.leave?.();
      return;
    }
    this.screen?.leave?.();
    this.screen = screen;
    this.step = step;
    if (this.draft.stage === 'open' && this.draft.step !== step && (question(step) || step === 'review')) {
      this.update((draft) => ({ ...draft, step }));
    }
    this.draw(screen);
    screen.shown?.();
    this.frame.title.focus({ preventScroll: true });
  }

  /** @param {string} step @returns {Promise<Screen>} */
  async make(step) {
    switch (step) {
      case 'place': return placeScreen(this);
      case 'category': return categoryScreen(this);
      case 'same': return sameScreen(this);
      case 'photos': return photosScreen(this);
      case 'review': return reviewScreen(this);
      case 'delivery': return deliveryScreen(this);
      case 'drafts': return draftsScreen(this);
      default: return questionScreen(this, question(step) ?? /** @type {Question} */ (question('name')));
    }
  }

  /** @param {Screen} screen */
  draw(screen) {
    const { map } = screen;
    this.frame.draw(screen);
    this.frame.count(this.isLike ? null : progress(this.draft, this.step), !['drafts', 'delivery'].includes(this.step));
    this.drawFoot();
    this.redraw();
    if (map?.zoom && this.draft.place) {
      this.context.pane.view?.jump({ longitude: this.draft.place[0], latitude: this.draft.place[1], zoom: map.zoom });
    }
  }

  /** Draws the buttons below the screen. */
  drawFoot() {
    if (!this.screen) return;
    const { primary, secondary, done } = this.screen;
    const mayFinish = done && missing(this.draft).length === 0;
    this.frame.offer(
      [mayFinish && { label: translate('add.finish'), act: () => this.finish() }, secondary], primary);
  }

  /**
   * Changes the draft and schedules saving it. A draft in the outbox opens again.
   * @param {(draft: Draft) => Draft} act
   */
  update(act) {
    this.draft = { ...act(reopened(this.draft, newID())), updatedAt: Date.now() };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), SAVE);
  }

  /** Deletes the open draft. Further answers start a new one. */
  async discard() {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.saving;
    const { id } = this.draft;
    this.draft = this.fresh();
    if (this.isStored) await this.context.drafts.remove(id);
    this.isStored = false;
  }

  /** Draws the current draft on the map. */
  redraw() {
    const map = this.screen?.map;
    this.context.pane.view?.describe(draftFeatures(map === null ? null : this.draft, {
      sight: map?.sight ?? true, cell: map?.cell ?? false,
    }));
  }

  /** Saves the changes. A draft is stored once it has a position or a photo. */
  flush() {
    clearTimeout(this.timer);
    if (this.timer === undefined) return this.saving;
    this.timer = undefined;
    const { draft } = this;
    const { drafts } = this.context;
    if (!this.isStored && !draft.place && draft.photos.length === 0) return this.saving;
    const add = !this.isStored;
    this.isStored = true;
    if (add) this.context.state.update({ adding: draft.id }, 'replace'); // so that a reload opens it again
    this.saving = this.saving.then(() => (add
      ? drafts.add(draft)
      : drafts.change(draft.id, (kept) => (isEditable(kept) ? draft : kept))))
      .catch(() => toast(translate('add.not_kept')));
    return this.saving;
  }

  /** @param {DraftNews} news */
  async hear(news) {
    if (!this.isOpen) return;
    if (news.type === 'sent' && news.id === this.draft.id) {
      this.sent = news;
      this.isStored = false;
      if (this.step !== 'delivery') {
        await this.replace('delivery');
        return;
      }
    }
    if (this.step === 'drafts' || this.step === 'delivery') {
      if (news.id === this.draft.id && news.type === 'changed') {
        this.draft = await this.context.drafts.get(this.draft.id) ?? this.draft;
      }
      if (this.step === 'drafts' || news.id === this.draft.id) this.screen?.heard?.(news);
    } else if (news.type === 'changed' && news.id === this.draft.id && this.isStored && this.timer === undefined) {
      const kept = await this.context.drafts.get(news.id);
      if (!kept) {
        this.isStored = false;
        this.leave();
        toast(translate('add.deleted_elsewhere'));
      } else if (kept.updatedAt > this.draft.updatedAt) {
        this.draft = kept;
        announce(translate('add.changed_elsewhere'));
        this.show(this.firstStep(kept));
      }
    }
  }
}
