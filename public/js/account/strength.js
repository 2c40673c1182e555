// @ts-check
// Estimates how hard a password is to guess. The estimate is rough and cautious. Pure; the password
// never leaves the page.

export const SHORTEST = 8;

/** @typedef {'empty' | 'short' | 'own' | 'weak' | 'fair' | 'good' | 'strong'} Strength */

/** Common passwords, and common parts of passwords, which attackers try first. */
const COMMON = [
  'password', 'passwort', 'palavrapasse', 'palavra', 'senha', 'segredo', 'secret', 'qwerty', 'qwertz', 'azerty', 'asdf',
  'zxcv', 'abc', 'iloveyou', 'letmein', 'welcome', 'benvindo', 'bemvindo', 'admin', 'dragon', 'monkey', 'master',
  'football', 'futebol', 'benfica', 'sporting', 'porto', 'portugal', 'lisboa', 'madeira', 'brasil', 'amor', 'amorzinho',
  'princesa', 'estrela', 'sunshine', 'shadow', 'superman', 'batman', 'michael', 'jesus', 'maria', 'farol', 'lighthouse',
  'login', 'hello', 'hallo', 'test', 'teste', 'trustno1', 'whatever', 'princess', 'baseball', 'summer', 'winter',
];
const ROWS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'azertyuiop'];
const WORD_BITS = 10; // bits of one common word out of about a thousand
const YEAR_BITS = 6;
const SPOKEN_BITS = 3; // bits of a letter within a word, because the previous letter makes it likely
const TAKEN = '\u0000'; // marks characters already counted

/**
 * @param {string} password
 * @param {string[]} [names] names of the owner: username, e-mail address
 * @returns {Strength}
 */
export function strength(password, names = []) {
  const text = password.normalize('NFKC');
  const length = [...text].length;
  if (length === 0) return 'empty';
  if (length < SHORTEST) return 'short';
  if (isOwn(text, names)) return 'own';
  const bits = estimate(text, names);
  if (bits < 40) return 'weak';
  if (bits < 58) return 'fair';
  return bits < 75 ? 'good' : 'strong';
}

/**
 * Estimates the entropy of a password in bits. Common words count little. Letters that form a
 * pronounceable word count less than random letters.
 * @param {string} text @param {string[]} [names]
 */
export function estimate(text, names = []) {
  let rest = plain(text);
  let bits = 0;
  const words = [...COMMON, ...names.flatMap((name) => name.split('@')).map(plain)].filter((word) => word.length > 2);
  for (const word of words.sort((one, other) => other.length - one.length)) {
    if (!rest.includes(word)) continue;
    bits += WORD_BITS + rest.split(word).length - 2;
    rest = rest.replaceAll(word, TAKEN);
  }
  rest = rest.replace(/(?<!\d)(19|20)\d\d(?!\d)/g, () => {
    bits += YEAR_BITS;
    return TAKEN;
  });
  const each = Math.log2(alphabet(text));
  const letters = [...rest];
  const spoken = spokenLetters(rest);
  for (let place = 0; place < letters.length; place += 1) {
    const letter = letters[place];
    if (letter === TAKEN) continue;
    if (isRun(letters[place - 1], letter) || isAgain(letters, place)) bits += 1;
    else bits += spoken.has(place) ? Math.min(each, SPOKEN_BITS) : each;
  }
  return bits;
}

/**
 * Indexes of letters that look like parts of words.
 * @param {string} text
 */
function spokenLetters(text) {
  /** @type {Set<number>} */
  const places = new Set();
  for (const found of text.matchAll(/[a-z]{4,}/g)) {
    const vowels = found[0].replace(/[^aeiouy]/g, '').length / found[0].length;
    if (vowels >= 0.2 && vowels <= 0.7) {
      [...found[0]].forEach((_, place) => places.add([...text.slice(0, found.index)].length + place));
    }
  }
  return places;
}

/**
 * Lower case, without accents, and with digits replaced by the letters they imitate.
 * @param {string} text
 */
function plain(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/@/g, 'a').replace(/\$/g, 's')
    .replace(/(?<=\p{L})[0134](?=\p{L}|$)/gu, (digit) => ({ 0: 'o', 1: 'i', 3: 'e', 4: 'a' })[digit] ?? digit);
}

/**
 * Size of the alphabet that the password draws from.
 * @param {string} text
 */
function alphabet(text) {
  const kinds = /** @type {[RegExp, number][]} */ ([
    [/[a-z]/, 26], [/[A-Z]/, 26], [/\d/, 10], [/[^\p{L}\p{N}]/u, 20], [/[^\0-\x7F]/, 40],
  ]);
  return Math.max(2, kinds.reduce((sum, [kind, count]) => sum + (kind.test(text) ? count : 0), 0));
}

/**
 * Whether a character repeats the previous one, or follows it in the alphabet or on a keyboard row.
 * @param {string | undefined} before @param {string} letter
 */
function isRun(before, letter) {
  if (before === undefined || before === TAKEN) return false;
  return before === letter || ROWS.some((row) => row.includes(before + letter) || row.includes(letter + before));
}

/**
 * Whether the three characters up to an index occurred before.
 * @param {string[]} letters @param {number} place
 */
function isAgain(letters, place) {
  if (place < 3) return false;
  const three = letters.slice(place - 2, place + 1).join('');
  return !three.includes(TAKEN) && letters.slice(0, place).join('').includes(three);
}

/** @param {string} password @param {string[]} names */
function isOwn(password, names) {
  const folded = password.toLowerCase();
  return names.some((name) => name && [name, name.split('@')[0]].some((part) => part.toLowerCase() === folded));
}
