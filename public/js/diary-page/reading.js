// @ts-check
// The part of the diary page that adds days: from files, or recorded while the page is open.

import { Outage, Refusal } from '../api.js';
import { withPasses } from '../diary/diary.js';
import { FileFault } from '../diary/faults.js';
import { readFileTrack } from '../diary/import.js';
import { localDays } from '../diary/passes.js';
import { LockedDiary } from '../diary/store.js';
import { Recorder } from '../diary/recorder.js';
import { fill, h, icon } from '../dom.js';
import { hide, isHiding } from '../exposure/decoys.js';
import { formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { locateTrouble } from '../places/locate.js';

/** @typedef {import('../diary/store.js').DiaryStore} DiaryStore */
/** @typedef {import('../diary/points.js').Faults} Faults */

const ACCEPTED = '.gpx,.json,.geojson,application/gpx+xml,application/geo+json,application/json';

export class ReadingPart {
  /** @param {DiaryStore} store @param {(day: string | null) => Promise<void>} changed called with the last day added */
  constructor(store, changed) {
    this.store = store;
    this.changed = changed;
    /** @type {AbortController | null} */
    this.reading = null;
    /** @type {Recorder | null} */
    this.recorder = null;
    this.file = /** @type {HTMLInputElement} */ (h('input', {
      type: 'file', accept: ACCEPTED, multiple: true, class: 'visually-hidden', id: 'diary-file', tabindex: '-1',
      'aria-hidden': 'true', onchange: () => this.read([...this.file.files ?? []]),
    }));
    this.acts = h('div', { class: 'form-acts' });
    this.bar = /** @type {HTMLProgressElement} */ (h('progress', { max: '1', value: '0' }));
    this.bar.hidden = true;
    this.said = h('div', { class: 'diary-said', role: 'status' });
    const hiding = /** @type {HTMLInputElement} */ (h('input', {
      type: 'checkbox', id: 'hide-area', checked: isHiding(), onchange: () => hide(hiding.checked),
    }));
    this.element = h('section', { class: 'paper', 'aria-labelledby': 'diary-add' },
      h('h2', { id: 'diary-add' }, translate('diary.add')), h('p', {}, translate('diary.add.words')),
      this.acts, this.bar, this.said, this.file,
      h('label', { class: 'check', for: 'hide-area' }, hiding, h('span', {}, translate('exposure.hide'))),
      h('p', { class: 'field-note check-note' }, translate('exposure.hide.note')));
    this.element.addEventListener('dragover', (event) => event.preventDefault());
    this.element.addEventListener('drop', (event) => {
      event.preventDefault();
      this.read([...event.dataTransfer?.files ?? []]);
    });
    this.draw();
  }

  draw() {
    const focused = document.activeElement?.getAttribute('data-act');
    const button = (/** @type {string} */ act, /** @type {string} */ symbol, /** @type {() => unknown} */ onclick) => h(
      'button', { type: 'button', class: 'button', 'data-act': act, onclick }, icon(symbol), translate(`diary.${act}`));
    fill(this.acts, ...this.reading
      ? [button('stop_reading', 'close', () => this.reading?.abort())]
      : [button('read', 'upload', () => this.file.click()),
        this.recorder ? button('stop', 'pause', () => this.stop()) : button('record', 'locate', () => this.record())]);
    this.acts.querySelector('.button')?.classList.toggle('primary', !this.recorder);
    this.bar.hidden = !this.reading;
    if (!focused || focused === 'read') return;
    const same = this.acts.querySelector(`[data-act="${focused}"]`) ?? this.acts.querySelector('button');
    if (['record', 'stop', 'stop_reading'].includes(focused)) /** @type {HTMLElement} */ (same)?.focus();
  }

  /** @param {File[]} files */
  async read(files) {
    this.file.value = '';
    if (!files.length || this.reading) return;
    this.reading = new AbortController();
    this.draw();
    fill(this.said);
    let last = '';
    for (const file of files) {
      const day = await this.readOne(file, this.reading.signal);
      if (day && day > last) last = day;
      if (this.reading.signal.aborted) break;
    }
    this.reading = null;
    this.draw();
    if (last) await this.changed(last);
  }

  /** @param {File} file @param {AbortSignal} signal @returns {Promise<string | null>} the last day that was read */
  async readOne(file, signal) {
    try {
      const { passing, sensors, faults, isBroken } = await readFileTrack(file, {
        signal, progress: (phase, share) => {
          this.bar.value = share;
          this.bar.setAttribute('aria-label', translate(`diary.phase.${phase}`));
        },
      });
      const kept = await this.store.change((diary) => withPasses(diary, passing, sensors, localDays()));
      const days = Object.keys(passing.metres).sort();
      const gone = days.filter((day) => !kept.days[day]).length;
      this.say(file.name, [
        plural('diary.read.days', days.length), plural('diary.read.passes', passing.passes.length),
        gone ? plural('diary.read.forgotten', gone) : '', ...faultWords(faults),
        isBroken ? translate('diary.fault.broken_off.part') : '',
      ].filter(Boolean).join(' '));
      return days[days.length - 1] ?? null;
    } catch (error) {
      if (signal.aborted) this.say(file.name, translate('diary.stopped'));
      else this.say(file.name, troubleWords(error), true);
      return null;
    }
  }

  /** @param {string} name of the file; empty for a recording @param {string} words @param {boolean} [isFault] */
  say(name, words, isFault = false) {
    this.said.append(h('p', { class: isFault ? 'complaint' : null },
      h('span', {}, name && h('strong', { class: 'said', dir: 'auto' }, `${name}: `), words)));
    announce(words);
  }

  record() {
    fill(this.said);
    if (!('geolocation' in navigator)) {
      this.say('', translate('locate.unknown'), true);
      return;
    }
    const dayOf = localDays();
    this.recorder = new Recorder({
      take: async ({ passing, sensors }) => {
        await this.store.change((diary) => withPasses(diary, passing, sensors, dayOf));
        await this.changed(Object.keys(passing.metres).sort().pop() ?? null);
      },
      trouble: (error) => {
        fill(this.said);
        const isPlace = typeof (/** @type {any} */ (error)?.code) === 'number';
        this.say('', isPlace ? translate(locateTrouble(error)) : troubleWords(error), true);
      },
    });
    this.recorder.start();
    this.draw();
    this.say('', translate('diary.recording'));
  }

  async stop() {
    const { recorder } = this;
    this.recorder = null;
    this.draw();
    fill(this.said);
    try {
      await recorder?.stop();
      this.say('', translate('diary.recorded'));
    } catch (error) {
      this.say('', troubleWords(error), true);
    }
  }
}

/** @param {unknown} error */
function troubleWords(error) {
  if (error instanceof LockedDiary) return translate('diary.locked');
  if (error instanceof FileFault) return translate(`diary.fault.${error.code}`);
  if (error instanceof Outage || error instanceof Refusal) return translate('diary.fault.devices');
  throw error;
}

/** @param {Faults} faults */
function faultWords(faults) {
  const keys = /** @type {(keyof Faults)[]} */ (['backwards', 'timeless', 'unlikely', 'outside', 'vague', 'jumps']);
  return keys.filter((key) => faults[key]).map((key) => plural(`diary.skipped.${key}`, faults[key], {
    number: formatNumber(faults[key], language()),
  }));
}
