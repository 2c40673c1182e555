// @ts-check
// The parts of the diary page about thresholds, and about the storage of the diary.

import { exceeded, KEEP_DAYS } from '../diary/diary.js';
import { LARGEST, readFile } from '../diary/diary-file.js';
import { canLock, SHORTEST, unlock } from '../diary/lock.js';
import { ask, askText } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { KINDS } from '../exposure/kinds.js';
import { selectField } from '../forms/fields.js';
import { download } from '../forms/copy.js';
import { formatDay } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { canNotify, isNotifying, wantNotifications } from '../local-watches/notify.js';
import { toast } from '../page/notices.js';

/** @typedef {import('../diary/diary.js').Diary} Diary */
/** @typedef {import('../diary/diary.js').Threshold} Threshold */
/** @typedef {import('../diary/store.js').DiaryStore} DiaryStore */

const KEEPS = [30, KEEP_DAYS, 365];
const FIRST = 20; // devices of a new threshold
const MOST = 10; // thresholds
const SHOWN = 3; // days above a threshold

/**
 * The kind of data that a threshold counts.
 * @param {Threshold} threshold
 */
function kindWords({ kind }) { return translate(kind === 'all' ? 'diary.threshold.all' : `exposure.kind.${kind}`); }

/**
 * The last days that passed a threshold, as notices.
 * @param {Diary} diary
 */
export function exceededNotices(diary) {
  const days = Object.keys(diary.days).sort().reverse();
  const found = days.flatMap((day) => exceeded(diary, day).map((one) => ({ day, ...one }))).slice(0, SHOWN);
  return found.map(({ day, threshold, count }) => h('p', { class: 'aside-note diary-exceeded' }, icon('bell'),
    h('span', {}, thresholdWords(day, threshold, count))));
}

/** @param {string} day @param {Threshold} threshold @param {number} count */
export function thresholdWords(day, threshold, count) {
  return plural('diary.exceeded', count,
    { day: formatDay(day, language()) ?? day, kind: kindWords(threshold), limit: threshold.count });
}

/**
 * @param {Diary} diary @param {DiaryStore} store @param {() => Promise<void>} changed
 */
export function thresholdPart(diary, store, changed) {
  const set = async (/** @type {Threshold[]} */ thresholds) => {
    await store.change((now) => ({ ...now, thresholds }));
    await changed();
  };
  const kind = selectField({
    name: 'threshold-kind', label: translate('diary.threshold.kind'), value: 'all',
    options: [['all', translate('diary.threshold.all')],
      ...KINDS.map((code) => /** @type {[string, string]} */ ([code, translate(`exposure.kind.${code}`)]))],
  });
  const count = /** @type {HTMLInputElement} */ (h('input', {
    type: 'number', class: 'text-input', id: 'threshold-count', min: '0', max: '100000', value: String(FIRST),
  }));
  const isOn = isNotifying();
  /** @type {(threshold: Threshold, place: number) => HTMLElement} */
  const item = (threshold, place) => h('li', { class: 'diary-threshold' },
    h('span', {}, translate('diary.threshold.words', { count: threshold.count, kind: kindWords(threshold) })),
    h('button', {
      type: 'button', class: 'button', 'data-act': `forget-${place}`,
      onclick: () => set(diary.thresholds.filter((one) => one !== threshold)),
    }, icon('trash'), translate('diary.threshold.remove')));
  return h('section', { class: 'paper', 'aria-labelledby': 'thresholds' },
    h('h2', { id: 'thresholds' }, translate('diary.thresholds')),
    diary.thresholds.length > 0 && h('ul', { class: 'exposure-operators' }, ...diary.thresholds.map(item)),
    diary.thresholds.length < MOST && h('form', {
      class: 'diary-form', onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const number = Math.floor(Number(count.value));
        if (!(number >= 0) || count.value === '') count.focus();
        else set([...diary.thresholds, { kind: /** @type {Threshold['kind']} */ (kind.value()), count: number }]);
      },
    }, kind.element, h('div', { class: 'field' },
      h('label', { class: 'field-label', for: count.id }, translate('diary.threshold.count')), count),
    h('button', { type: 'submit', class: 'button', 'data-act': 'add-threshold' }, icon('plus'),
      translate('diary.threshold.add'))),
    canNotify() && h('button', {
      type: 'button', class: 'button', 'data-act': 'notify', 'aria-pressed': String(isOn),
      onclick: async () => {
        await wantNotifications(!isOn);
        await changed();
      },
    }, icon(isOn ? 'check' : 'bell'), translate('diary.notify')));
}

/**
 * @param {Diary} diary @param {DiaryStore} store @param {boolean} isEncrypted @param {() => Promise<void>} changed
 */
export function keepingPart(diary, store, isEncrypted, changed) {
  const keep = selectField({
    name: 'keep', label: translate('diary.keep'), value: String(diary.keep ?? 0),
    options: [...KEEPS.map((days) => /** @type {[string, string]} */ ([String(days), plural('diary.keep.days', days)])),
      ['0', translate('diary.keep.ever')]],
  });
  keep.control.addEventListener('change', async () => {
    await store.change((now) => ({ ...now, keep: Number(keep.value()) || null }));
    await changed();
    toast(translate('diary.keep.changed'));
  });
  const file = /** @type {HTMLInputElement} */ (h('input', {
    type: 'file', accept: 'application/json,.json', class: 'visually-hidden', id: 'diary-import', tabindex: '-1',
    'aria-hidden': 'true', onchange: () => takeFile(file, store, changed),
  }));
  /** @type {(name: string, symbol: string, onclick: () => unknown, look?: string) => HTMLElement} */
  const act = (name, symbol, onclick, look = '') => h('button', {
    type: 'button', class: `button ${look}`.trim(), 'data-act': name, onclick,
  }, icon(symbol), translate(`diary.${name}`));
  return h('section', { class: 'paper', 'aria-labelledby': 'keeping' },
    h('h2', { id: 'keeping' }, translate('diary.keeping')),
    h('p', {}, translate(store.isLasting ? 'diary.kept_here' : 'diary.not_kept')),
    keep.element,
    h('p', {}, translate(isEncrypted ? 'diary.is_encrypted' : canLock() ? 'diary.is_open' : 'diary.cannot_lock')),
    h('div', { class: 'form-acts' },
      canLock() && act(isEncrypted ? 'change_passphrase' : 'encrypt', 'key', async () => {
        const passphrase = await newPassphrase();
        if (passphrase === null) return;
        await store.protect(passphrase);
        await changed();
        toast(translate('diary.encrypted'));
      }),
      isEncrypted && act('decrypt', 'key', async () => {
        await store.protect(null);
        await changed();
      }),
      isEncrypted && act('lock', 'shield', async () => {
        store.close();
        await changed();
      }),
      act('export', 'download', async () => {
        download(new Blob([await store.exported()], { type: 'application/json' }), 'farol-diary.json');
      }),
      act('import', 'upload', () => file.click()),
      act('erase', 'trash', () => erase(store, changed), 'grave')), file);
}

/** @returns {Promise<string | null>} */
async function newPassphrase() {
  for (;;) {
    const given = await askText({
      title: translate('diary.passphrase.new'), label: translate('diary.passphrase.rule', { count: SHORTEST }),
      yes: translate('diary.encrypt'), no: translate('form.cancel'), longest: 200,
    });
    if (given === null || given === undefined) return null;
    if ([...given].length >= SHORTEST) return given;
    toast(translate('diary.passphrase.short', { count: SHORTEST }));
  }
}

/** @param {DiaryStore} store @param {() => Promise<void>} changed */
export async function erase(store, changed) {
  const answer = await ask({
    title: translate('diary.erase.title'), words: translate('diary.erase.words'),
    answers: [
      { value: 'keep', label: translate('form.cancel') },
      { value: 'erase', label: translate('diary.erase'), look: 'grave' },
    ],
  });
  if (answer !== 'erase') return;
  await store.erase();
  await changed();
  toast(translate('diary.erased'));
}

/** @param {HTMLInputElement} file @param {DiaryStore} store @param {() => Promise<void>} changed */
async function takeFile(file, store, changed) {
  const [given] = file.files ?? [];
  file.value = '';
  if (!given) return;
  let found = given.size <= LARGEST ? readFile(await given.text()) : null;
  if (found && 'locked' in found) {
    const passphrase = await askText({
      title: translate('diary.unlock'), label: translate('diary.passphrase'), yes: translate('diary.unlock'),
      no: translate('form.cancel'), longest: 200,
    });
    if (!passphrase) return;
    const opened = await unlock(found.locked, passphrase);
    if (!opened) {
      toast(translate('diary.passphrase.wrong'));
      return;
    }
    found = readFile(opened.text);
  }
  if (!found || !('diary' in found)) {
    toast(translate('diary.import.wrong'));
    return;
  }
  const { diary } = found;
  await store.change((now) => joined(now, diary));
  await changed();
  toast(plural('diary.imported', Object.keys(diary.days).length));
}

/**
 * Two diaries: where both have a day, the one with more passes.
 * @param {Diary} own @param {Diary} other @returns {Diary}
 */
function joined(own, other) {
  const days = { ...own.days };
  for (const [day, record] of Object.entries(other.days)) {
    if (!days[day] || days[day].passes.length < record.passes.length) days[day] = record;
  }
  return {
    ...own, days, devices: { ...other.devices, ...own.devices },
    thresholds: own.thresholds.length ? own.thresholds : other.thresholds,
  };
}

/**
 * The form that opens an encrypted diary.
 * @param {DiaryStore} store @param {() => Promise<void>} changed
 */
export function lockedPart(store, changed) {
  const input = /** @type {HTMLInputElement} */ (h('input', {
    type: 'password', class: 'text-input', id: 'passphrase', autocomplete: 'off', required: true,
  }));
  const trouble = h('p', { class: 'complaint', role: 'alert' });
  const unlockNow = async () => {
    fill(trouble);
    if (await store.unlock(input.value)) {
      await changed();
      return;
    }
    trouble.textContent = translate('diary.passphrase.wrong');
    input.select();
  };
  return h('section', { class: 'paper', 'aria-labelledby': 'locked' },
    h('h2', { id: 'locked' }, translate('diary.locked')), h('p', {}, translate('diary.locked.words')),
    h('form', {
      class: 'diary-form', onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        unlockNow();
      },
    }, h('div', { class: 'field' },
      h('label', { class: 'field-label', for: input.id }, translate('diary.passphrase')), input),
    h('button', { type: 'submit', class: 'button primary' }, icon('key'), translate('diary.unlock'))), trouble,
    h('div', { class: 'form-acts' }, h('button', {
      type: 'button', class: 'button grave', 'data-act': 'erase', onclick: () => erase(store, changed),
    }, icon('trash'), translate('diary.erase'))));
}
