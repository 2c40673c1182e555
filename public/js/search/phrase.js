// @ts-check
// Reads search phrases: a kind of device with a place or with the user's own position. Pure functions.

import { folded } from '../words.js';
import { matchingCategories, matchingGroups } from './suggestions.js';

/** @typedef {import('../taxonomies.js').Term} Term */
/**
 * @typedef {object} Phrase
 * @property {Term} [group] a group of categories
 * @property {Term} [term] a category
 * @property {string} place the name of a place as it was typed; empty without one
 * @property {boolean} isHere whether the user means the own position
 * @property {boolean} isSure whether a word such as «in» separates the kind from the place
 */

// The words of both languages, as people type either of them. Longer ones come first.
const HERE = [
  'near me', 'near here', 'nearby', 'close to me', 'around me', 'around here', 'here', 'perto de mim', 'perto daqui',
  'aqui perto', 'por perto', 'a minha volta', 'ao meu redor', 'aqui',
];
const AT = [
  'close to', 'next to', 'near', 'around', 'in', 'at', 'on', 'of', 'perto de', 'perto do', 'perto da', 'junto a',
  'junto ao', 'em', 'no', 'na', 'nos', 'nas', 'de', 'do', 'da',
];
const QUESTION = [
  'who runs', 'who operates', 'who owns', 'who has', 'where are', 'where is', 'how many', 'what is', 'which',
  'are there', 'show me', 'show', 'find', 'search for', 'quem opera', 'quem gere', 'quem tem', 'onde estao', 'onde ha',
  'onde fica', 'quantas', 'quantos', 'que', 'quais', 'ha', 'mostrar', 'procurar', 'the', 'all', 'any', 'as', 'os',
  'todas as', 'todos os',
];
/** «How many cameras are there in Lisbon?» */
const THERE = ['are there', 'there are', 'ha', 'existem'];
/** Words for all kinds. */
const ANYTHING = ['devices', 'device', 'everything', 'aparelhos', 'aparelho', 'dispositivos', 'tudo'];
/** «Who runs this camera?» is asked in front of it. */
const THIS = ['this', 'that', 'these', 'esta', 'este', 'essa', 'esse', 'estas', 'estes'];

/**
 * The number of words of the longest phrase that some words begin with.
 * @param {string[]} words @param {string[]} phrases
 */
function beginsWith(words, phrases) {
  const found = phrases.map((phrase) => phrase.split(' '))
    .filter((phrase) => phrase.every((word, index) => words[index] === word));
  return Math.max(0, ...found.map((phrase) => phrase.length));
}

/** @param {string[]} words @param {Term[]} groups @param {Term[]} terms */
function kindOf(words, groups, terms) {
  const text = words.join(' ');
  if (text.length < 3) return null;
  const [group] = matchingGroups(text, groups);
  if (group) return { group };
  const [category] = matchingCategories(text, terms, 1);
  return category ? { term: category.term } : null;
}

/**
 * Understands «plate readers in Baltimore», «cameras near me», «Berlin webcams» and «near Zürich», in English and
 * Portuguese.
 * @param {string} typed @param {Term[]} groups @param {Term[]} terms
 * @returns {Phrase | null} null for a kind alone, and for a name alone
 */
export function readPhrase(typed, groups, terms) {
  const own = typed.replace(/[?!.]+\s*$/, '').trim().split(/[\s,]+/).filter(Boolean);
  let words = own.map(folded);
  let first = 0; // the number of filler words
  for (let skipped = 1; skipped;) {
    skipped = beginsWith(words.slice(first), QUESTION);
    if (words.length - first <= skipped) break;
    first += skipped;
  }
  const isPointing = THIS.includes(words[first]);
  if (isPointing) first += 1;
  const anything = beginsWith(words.slice(first), ANYTHING);
  if (anything && words.length > first + anything) first += anything;
  words = words.slice(first);
  const text = (/** @type {number} */ from, /** @type {number} */ to) => own.slice(first + from, first + to).join(' ');
  const here = beginsWith(words, HERE);
  if (words.length && here === words.length) return { place: '', isHere: true, isSure: true };
  for (let length = words.length; length > 0; length -= 1) {
    // «In» begins «infrared» as well.
    const isLink = length > 1 && beginsWith(words.slice(length - 1), AT) > 0;
    const kind = isLink ? null : kindOf(words.slice(0, length), groups, terms);
    if (!kind) continue;
    const there = beginsWith(words.slice(length), THERE);
    if (there) length += there;
    const rest = words.slice(length);
    if (!rest.length) return isPointing ? { ...kind, place: '', isHere: true, isSure: true } : null;
    if (beginsWith(rest, HERE) === rest.length) return { ...kind, place: '', isHere: true, isSure: true };
    const link = beginsWith(rest, AT);
    if (link === rest.length) return null; // «cameras in» is not finished.
    return { ...kind, place: text(length + link, words.length), isHere: false, isSure: link > 0 };
  }
  for (let start = 1; start < words.length; start += 1) {
    const kind = kindOf(words.slice(start), groups, terms);
    if (kind && start === here) return { ...kind, place: '', isHere: true, isSure: true };
    if (kind) return { ...kind, place: text(0, start), isHere: false, isSure: false };
  }
  // «Near Zürich» and «where is Zürich» mean the place. «Of» is a town as well.
  const link = beginsWith(words, AT);
  return (first || link) && link < words.length
    ? { place: text(link, words.length), isHere: false, isSure: false } : null;
}

/**
 * The names of towns that an address may end with, the longest first: «Bahnhofstrasse 10 Zürich» ends with «Zürich».
 * @param {string} typed
 */
export function possibleTowns(typed) {
  const parts = typed.trim().split(',');
  const words = parts[parts.length - 1].trim().split(/\s+/).filter((word) => word && !/\d/.test(word));
  const all = parts.length > 1 ? words.length : words.length - (/\d/.test(typed) ? 0 : 1);
  return [4, 3, 2, 1].filter((count) => count <= all).map((count) => words.slice(-count).join(' '));
}
