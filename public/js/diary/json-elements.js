// @ts-check
// Cuts large JSON into its elements as it arrives: the elements of an array that is the root or a member of the root,
// and members of the root that are objects. Each element is then parsed on its own. Pure.

import { FileFault } from './faults.js';

const LARGEST = 134_217_728; // characters of one element
const [SPACE, QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [32, 34, 92, 123, 125, 91, 93];

export class JSONElements {
  /**
   * @param {(list: string, value: any) => void} element called with the member of the root that holds the element;
   *   empty for an array that is the root
   * @param {(name: string) => boolean} isWanted whether a member of the root is needed
   */
  constructor(element, isWanted) {
    this.element = element;
    this.isWanted = isWanted;
    this.depth = 0;
    this.isInText = false;
    this.isEscaped = false;
    this.isStarted = false;
    this.isDone = false;
    /** 1 where the root is an array, 2 where the arrays are members of the root. */
    this.level = 0;
    /** The last text at the first level of an object: the name of a member. */
    this.key = '';
    this.list = '';
    this.isList = false;
    this.isTaken = false;
    /** @type {string[]} the beginning of an element, from earlier parts */
    this.parts = [];
    this.length = 0;
    this.start = -1;
    this.textStart = -1;
    this.textPart = '';
  }

  /** @param {string} text the next part of the file */
  push(text) {
    let from = 0;
    if (!this.isStarted && text.charCodeAt(0) === 0xfeff) from = 1;
    for (let i = from; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (this.isInText) this.inText(text, i, code);
      else if (code > SPACE) this.mark(text, i, code);
    }
    if (this.start >= 0) {
      this.parts.push(text.slice(this.start));
      this.length += text.length - this.start;
      this.start = 0;
      if (this.length > LARGEST) throw new FileFault('too_large');
    }
    if (this.textStart >= 0) {
      this.textPart += text.slice(this.textStart);
      this.textStart = 0;
      if (this.textPart.length > 1_000) throw new FileFault('damaged');
    }
  }

  /** @param {string} text @param {number} i @param {number} code */
  inText(text, i, code) {
    if (this.isEscaped) {
      this.isEscaped = false;
    } else if (code === BACKSLASH) {
      this.isEscaped = true;
    } else if (code === QUOTE) {
      this.isInText = false;
      if (this.textStart < 0) return;
      this.key = this.textPart + text.slice(this.textStart, i);
      this.textPart = '';
      this.textStart = -1;
    }
  }

  /** @param {string} text @param {number} i @param {number} code outside of texts */
  mark(text, i, code) {
    if (this.isDone) throw new FileFault('damaged');
    if (!this.isStarted && code !== OPEN && code !== OPEN_LIST) throw new FileFault('type');
    if (code === OPEN || code === OPEN_LIST) {
      this.opened(i, code === OPEN_LIST);
    } else if (code === CLOSE || code === CLOSE_LIST) {
      this.closed(text, i);
    } else if (code === QUOTE) {
      this.isInText = true;
      if (this.depth === 1 && this.level === 2) this.textStart = i + 1;
    }
  }

  /** @param {number} i @param {boolean} isList */
  opened(i, isList) {
    this.depth += 1;
    if (!this.isStarted) {
      this.isStarted = true;
      this.level = isList ? 1 : 2;
      this.isList = isList;
      this.isTaken = isList && this.isWanted('');
      return;
    }
    if (this.level === 2 && this.depth === 2) {
      this.list = this.key;
      this.isList = isList;
      this.isTaken = this.isWanted(this.list);
      if (!isList && this.isTaken) this.start = i;
    } else if (this.isList && this.isTaken && this.depth === this.level + 1) {
      this.start = i;
    }
  }

  /** @param {string} text @param {number} i */
  closed(text, i) {
    this.depth -= 1;
    if (this.depth < 0) throw new FileFault('damaged');
    const own = this.isList ? this.level : 1;
    if (this.start >= 0 && this.depth === own) {
      const whole = [...this.parts, text.slice(this.start, i + 1)].join('');
      this.parts = [];
      this.length = 0;
      this.start = -1;
      this.element(this.list, parsed(whole));
    }
    if (this.depth === 0) this.isDone = true;
  }

  /** At the end of the file. */
  end() {
    if (!this.isStarted) throw new FileFault('type');
    if (!this.isDone || this.isInText) throw new FileFault('broken_off');
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new FileFault('damaged');
  }
}
