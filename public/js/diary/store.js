// @ts-check
// The diary in this browser, shared by its tabs: one object, as text or encrypted.

import { openDatabase } from '../storage/database.js';
import { dayBefore, emptyDiary, lastsUntil, remembered } from './diary.js';
import { readFile, written, writtenLocked } from './diary-file.js';
import { noteDiary } from './kept.js';
import { lock, newKey, unlock, unlockWith } from './lock.js';
import { localDay } from './passes.js';

/** @typedef {import('./diary.js').Diary} Diary */
/** @typedef {import('./lock.js').Locked} Locked */
/** @typedef {import('./lock.js').Unlocked} Unlocked */
/** @typedef {{name: 'diary', text?: string, locked?: Locked, until?: string | null}} Box `until`: as in kept.js */
/** @typedef {import('../types').Database<{box: Box}>} DiaryDatabase */

const NAME = 'farol-diary';
const VERSIONS = [{ box: { key: 'name' } }];

/** The diary is locked: its passphrase is needed. */
export class LockedDiary extends Error {}

/** @type {Promise<DiaryStore> | undefined} */
let opened;

/** @returns {Promise<DiaryStore>} */
export function diaryStore() {
  opened ??= open();
  return opened;
}

async function open() {
  /** @type {DiaryDatabase} */
  const database = await openDatabase(NAME, VERSIONS, () => { opened = undefined; });
  return new DiaryStore(database);
}

export class DiaryStore {
  /** @param {DiaryDatabase} database */
  constructor(database) {
    this.database = database;
    /** @type {Unlocked | null} the key, until the page closes */
    this.own = null;
  }

  /** Whether the diary outlasts the page. */
  get isLasting() { return this.database.isLasting; }

  /** Whether the diary is encrypted. */
  async isEncrypted() { return Boolean((await this.database.get('box', 'diary'))?.locked); }

  /**
   * The diary.
   * @returns {Promise<Diary>}
   * @throws {LockedDiary}
   */
  async read() { return this.opened(await this.database.get('box', 'diary')); }

  /** @param {Box | undefined} box @returns {Promise<Diary>} */
  async opened(box) {
    if (!box) return emptyDiary();
    const text = box.locked ? this.own && await unlockWith(box.locked, this.own) : box.text;
    if (box.locked && text === null) throw new LockedDiary();
    const found = readFile(text ?? '');
    return found && 'diary' in found ? found.diary : emptyDiary();
  }

  /**
   * Opens the encrypted diary for this page.
   * @param {string} passphrase @returns {Promise<boolean>} whether it is the right one
   */
  async unlock(passphrase) {
    const box = await this.database.get('box', 'diary');
    if (!box?.locked) return true;
    const found = await unlock(box.locked, passphrase);
    if (found) this.own = found.own;
    return found !== null;
  }

  /** Forgets the key until the passphrase is entered again. */
  close() { this.own = null; }

  /**
   * Changes the diary, one tab at a time.
   * @param {(diary: Diary) => Diary} act
   * @returns {Promise<Diary>}
   * @throws {LockedDiary}
   */
  change(act) {
    const change = async () => {
      const box = await this.database.get('box', 'diary');
      const diary = remembered(act(await this.opened(box)), localDay(new Date()));
      await this.put(diary, Boolean(box?.locked));
      return diary;
    };
    return 'locks' in navigator ? navigator.locks.request(NAME, change) : change();
  }

  /** @param {Diary} diary @param {boolean} isLocked */
  async put(diary, isLocked) {
    const last = lastsUntil(diary);
    const text = written(diary);
    /** @type {Box} */
    const box = isLocked && this.own
      ? { name: 'diary', locked: await lock(text, this.own), until: last }
      : { name: 'diary', text, until: last };
    await this.database.put('box', box);
    const [first] = Object.keys(diary.days).sort();
    if (this.isLasting) {
      noteDiary({ first: first && diary.keep !== null ? dayBefore(first, -diary.keep) : null, last });
    }
  }

  /**
   * Encrypts the diary with a passphrase, or with null stores it as text.
   * @param {string | null} passphrase
   */
  async protect(passphrase) {
    const diary = await this.read();
    this.own = passphrase === null ? null : await newKey(passphrase);
    await this.put(diary, passphrase !== null);
  }

  /** Forgets the days that are over; a locked diary only as a whole. */
  async forget() {
    const box = await this.database.get('box', 'diary');
    if (!box) return;
    if (box.locked && !this.own) {
      if (box.until && box.until <= localDay(new Date())) await this.erase();
      return;
    }
    await this.change((diary) => diary);
  }

  /** Deletes the diary, its settings and its key. */
  async erase() {
    this.own = null;
    await this.database.delete('box', 'diary');
    noteDiary(null);
  }

  /** The diary as a file: encrypted if it is encrypted here. @returns {Promise<string>} */
  async exported() {
    const diary = await this.read();
    if (!await this.isEncrypted() || !this.own) return written(diary);
    return writtenLocked(await lock(written(diary), this.own));
  }
}
