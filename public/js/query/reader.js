// @ts-check
// Reads the words, values and signs of CQL2 text that the query page itself writes. The server reads all of CQL2. Pure.

/** @typedef {import('./conditions.js').Kind} Kind */

/** The tokens. Each pattern includes the white space after the token. */
const PATTERNS = {
  word: /([A-Za-z_][A-Za-z0-9_]*)\s*/y,
  string: /'((?:[^']|'')*)'\s*/y,
  number: /(-?\d{1,15}(?:\.\d{1,15})?)(?![\w.])\s*/y,
  comparison: /(<>|<=|>=|=|<|>)\s*/y,
};

export class CQL2Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text.trim();
    this.at = 0;
  }

  get isAtEnd() { return this.at === this.text.length; }

  /** @param {keyof typeof PATTERNS} kind @param {(found: string) => boolean} [accepts] @returns {string | null} */
  take(kind, accepts = () => true) {
    const pattern = PATTERNS[kind];
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found || !accepts(found[1])) return null;
    this.at = pattern.lastIndex;
    return found[1];
  }

  /**
   * Whether a keyword follows, in upper or lower case.
   * @param {string} expected in upper case
   */
  word(expected) { return this.take('word', (found) => found.toUpperCase() === expected) !== null; }

  /**
   * Whether the start of a function call follows.
   * @param {string} name in upper case
   */
  call(name) {
    const start = this.at;
    if (this.word(name) && this.sign('(')) return true;
    this.at = start;
    return false;
  }

  /** @param {string} sign one character */
  sign(sign) {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
    return true;
  }

  comparison() { return this.take('comparison'); }

  string() { return this.take('string')?.replaceAll("''", "'") ?? null; }

  number() { return this.take('number'); }

  day() {
    const day = this.call('DATE') ? this.string() : null;
    return day !== null && this.sign(')') ? day : null;
  }

  /**
   * A property of one of some kinds.
   * @param {(property: string) => Kind | undefined} kindOf @param {Kind[]} kinds
   */
  property(kindOf, kinds) {
    return this.take('word', (name) => {
      const kind = kindOf(name);
      return kind !== undefined && kinds.includes(kind);
    });
  }

  /** Texts in brackets; null without brackets. */
  list() {
    if (!this.sign('(')) return null;
    const values = [];
    do {
      const value = this.string();
      if (value === null) return null;
      values.push(value);
    } while (this.sign(','));
    return this.sign(')') ? values : null;
  }

  /** @param {number} count of numbers with commas between them */
  numbers(count) {
    const values = [];
    while (values.length < count) {
      if (values.length && !this.sign(',')) return null;
      const value = this.number();
      if (value === null) return null;
      values.push(value);
    }
    return values;
  }
}
