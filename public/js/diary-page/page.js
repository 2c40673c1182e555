// @ts-check
// The exposure diary: the devices that a person passed, computed and kept in this browser.

import { exceeded } from '../diary/diary.js';
import { diaryStore, LockedDiary } from '../diary/store.js';
import { localDay } from '../diary/passes.js';
import { byId, fill, h } from '../dom.js';
import { translate } from '../i18n.js';
import { showNotice } from '../local-watches/notify.js';
import { instanceName } from '../page/brand.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { calendar } from './calendar.js';
import { exceededNotices, keepingPart, lockedPart, thresholdPart, thresholdWords } from './keeping.js';
import { ReadingPart } from './reading.js';
import { summary } from './summary.js';

/** @typedef {import('../diary/diary.js').Diary} Diary */
/** @typedef {import('../diary/diary.js').Period} Period */
/** @typedef {import('../diary/store.js').DiaryStore} DiaryStore */

class DiaryPage {
  /** @param {DiaryStore} store */
  constructor(store) {
    this.store = store;
    /** @type {{period: Period, start: string}} */
    this.shown = { period: 'week', start: '' };
    this.reading = new ReadingPart(store, (day) => this.added(day));
    this.body = h('div', { class: 'diary' });
  }

  async start() {
    document.title = `${translate('diary.title')} · ${instanceName()}`;
    fill(byId('content'), h('div', { class: 'look' },
      h('header', { class: 'look-head' }, h('h1', { tabindex: '-1' }, translate('diary.title')),
        h('p', { class: 'lead' }, translate('diary.lead'))), this.body, privacy()));
    await Promise.all(['categories', 'data'].map((name) => scheme(name).catch(() => null)));
    await this.store.forget();
    await this.draw();
  }

  async draw() {
    const focused = document.activeElement?.getAttribute('data-act') ?? document.activeElement?.id ?? '';
    try {
      const diary = await this.store.read();
      const isEncrypted = await this.store.isEncrypted();
      const changed = () => this.draw();
      const days = Object.keys(diary.days);
      fill(this.body, ...exceededNotices(diary),
        days.length > 0 && summary(diary, this.shown, (shown) => this.show(shown)),
        days.length > 0 && h('section', { class: 'paper', 'aria-labelledby': 'calendar' },
          h('h2', { id: 'calendar' }, translate('diary.calendar')), calendar(diary, localDay(new Date()),
            (day) => this.show({ period: 'day', start: day }, true))),
        this.reading.element, thresholdPart(diary, this.store, changed),
        keepingPart(diary, this.store, isEncrypted, changed));
    } catch (error) {
      if (!(error instanceof LockedDiary)) throw error;
      fill(this.body, lockedPart(this.store, () => this.draw()));
    }
    if (!focused || document.activeElement !== document.body) return;
    const name = CSS.escape(focused);
    /** @type {HTMLElement | null} */ (this.body.querySelector(`[data-act="${name}"], #${name}`))?.focus();
  }

  /** @param {{period: Period, start: string}} shown @param {boolean} [isJump] whether to move to the summary */
  async show(shown, isJump = false) {
    this.shown = shown;
    await this.draw();
    if (isJump) byId('summary').focus();
  }

  /** @param {string | null} day */
  async added(day) {
    if (day) this.shown = { ...this.shown, start: '' };
    await this.draw();
    if (!day) return;
    const diary = await this.store.read();
    for (const { threshold, count } of exceeded(diary, day)) {
      const notice = { body: thresholdWords(day, threshold, count), tag: `diary-${day}-${threshold.kind}` };
      showNotice(translate('diary.title'), notice, '/diary');
    }
  }
}

function privacy() {
  return h('section', { class: 'paper', 'aria-labelledby': 'diary-privacy' },
    h('h2', { id: 'diary-privacy' }, translate('diary.privacy')),
    h('p', {}, translate('diary.privacy.here')), h('p', {}, translate('diary.privacy.server')),
    h('p', {}, translate('diary.privacy.limits')));
}

startShell().then(async () => { await new DiaryPage(await diaryStore()).start(); });
