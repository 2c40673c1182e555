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

// Words of English and Portuguese, and of German, French and Spanish, without accents. Longer ones come first.
const HERE = [
  'near me', 'near here', 'nearby', 'close to me', 'around me', 'around here', 'here', 'in my town', 'in my street',
  'in my city', 'my town', 'my street', 'my city', 'perto de mim', 'perto daqui', 'aqui perto', 'por perto',
  'a minha volta', 'ao meu redor', 'na minha rua', 'na minha cidade', 'a minha rua', 'a minha cidade', 'aqui',
  'in meiner nahe', 'in der nahe', 'bei mir', 'hier', 'pres de moi', 'autour de moi', 'pres d\'ici', 'ici',
  'cerca de mi', 'cerca de aqui', 'aqui cerca',
];
const AT = [
  'close to', 'next to', 'near', 'around', 'in', 'at', 'on', 'of', 'perto de', 'perto do', 'perto da', 'junto a',
  'junto ao', 'em', 'no', 'na', 'nos', 'nas', 'de', 'do', 'da', 'in der', 'in den', 'im', 'bei', 'beim', 'am',
  'an der', 'nahe', 'pres de', 'a la', 'a', 'au', 'aux', 'en', 'dans', 'cerca de', 'en la', 'en el',
];
const QUESTION = [
  'who runs', 'who operates', 'who owns', 'who has', 'who watches me', 'who is watching me', 'who watches',
  'who is watching', 'what watches me', 'what is watching me', 'where are', 'where is', 'how many', 'what is',
  'which', 'is there a', 'is there an', 'is there any', 'is there', 'are there', 'show me', 'show', 'find',
  'search for', 'quem opera', 'quem gere', 'quem tem', 'quem vigia', 'onde estao', 'onde ha', 'onde fica', 'quantas',
  'quantos', 'que', 'quais', 'ha', 'mostrar', 'procurar', 'the', 'all', 'any', 'as', 'os', 'todas as', 'todos os',
  'wo sind', 'wo ist', 'wo gibt es', 'wie viele', 'gibt es', 'zeige', 'wer betreibt', 'wo sind die', 'ou sont les',
  'ou sont', 'ou est', 'combien de', 'y a-t-il des', 'y a-t-il une', 'qui exploite', 'cuantas', 'cuantos',
  'donde hay', 'donde estan', 'hay', 'quien tiene',
];
/** «How many cameras are there in Lisbon?» */
const THERE = ['are there', 'there are', 'ha', 'existem', 'gibt es', 'y a-t-il', 'hay'];
/** Questions about all that is around. */
const WATCHING = ['who watches me', 'who is watching me', 'what watches me', 'what is watching me'];
/** Words for all kinds. */
const ANYTHING = [
  'devices', 'device', 'everything', 'aparelhos', 'aparelho', 'dispositivos', 'tudo', 'gerate', 'appareils',
  'aparatos',
];
/** Words that refer to the device in view: «Who runs this camera?» */
const THIS = ['this', 'that', 'these', 'esta', 'este', 'essa', 'esse', 'estas', 'estes', 'diese', 'cette', 'ces'];
/** Names of kinds that the taxonomy lacks: groups and categories by code. An «s» may follow. */
const NAMES = {
  cameras: [
    'cctv camera', 'security camera', 'camara de videovigilancia', 'camara de seguridad', 'camara de vigilancia',
    'kamera', 'uberwachungskamera', 'videokamera', 'videouberwachung', 'camera de surveillance',
    'camera de videosurveillance',
    'videosurveillance', 'cctv', 'videovigilancia',
  ],
  microphones: ['mikrofon', 'mikrofone', 'microfono'],
  alpr: [
    'flock camera', 'flock', 'license plate camera', 'licence plate camera', 'number plate camera', 'kennzeichenleser',
    'kennzeichenscanner', 'kennzeichenerfassung', 'lecteur de plaque', 'lecteurs de plaque', 'lector de matricula',
    'lectores de matricula',
  ],
  traffic_enforcement: [
    'blitzer', 'radarfalle', 'radarfallen', 'radar automatique', 'radars automatique', 'radar de velocidad',
  ],
  mobile_camera: ['police drone', 'drohne', 'drohnen', 'dron', 'drone', 'drones'],
  webcam: ['camara web', 'camaras web'],
  biometric_camera: ['gesichtserkennung', 'reconnaissance faciale', 'reconocimiento facial'],
  wifi_hotspot: ['free wifi', 'free wi-fi', 'public wifi', 'wlan', 'wifi gratuit', 'wifi gratis'],
  doorbell_camera: ['turklingel', 'klingelkamera', 'sonnette'],
};
const STREET = /^(rua|avenida|av\.?|travessa|largo|praca|rue|avenue|boulevard|place|calle|plaza|via|piazza)$/;
/** After the name of a town: «Zürich HB». */
const PARTS = [
  'hb', 'hbf', 'bahnhof', 'hauptbahnhof', 'flughafen', 'altstadt', 'zentrum', 'station', 'airport', 'downtown',
  'centre', 'center', 'gare', 'aeroport', 'aeroporto', 'estacao', 'centro', 'aeropuerto', 'estacion',
];

/**
 * The number of words of the longest phrase that some words begin with.
 * @param {string[]} words @param {string[]} phrases
 */
function beginsWith(words, phrases) {
  const found = phrases.map((phrase) => phrase.split(' '))
    .filter((phrase) => phrase.every((word, index) => words[index] === word));
  return Math.max(0, ...found.map((phrase) => phrase.length));
}

/**
 * The kind that people call so, besides the words of the taxonomy.
 * @param {string} typed @param {Term[]} groups @param {Term[]} terms
 * @returns {{group: Term} | {term: Term} | null}
 */
export function everydayKind(typed, groups, terms) {
  const text = folded(typed).split(/\s+/).map((word) => word.replace(/^(camera)s$|^(camara)s$/, '$1$2')).join(' ');
  const singular = text.replace(/s$/, '');
  const code = Object.entries(NAMES).find(([, names]) => names.includes(text) || names.includes(singular))?.[0];
  const group = groups.find((one) => one.code === code);
  if (group) return { group };
  const term = terms.find((one) => one.code === code);
  return term ? { term } : null;
}

/** @param {string[]} words @param {Term[]} groups @param {Term[]} terms */
function kindOf(words, groups, terms) {
  const text = words.join(' ');
  if (text.length < 3) return null;
  const known = everydayKind(text, groups, terms);
  if (known) return known;
  const [group] = matchingGroups(text, groups);
  if (group) return { group };
  const [category] = matchingCategories(text, terms, 1);
  return category ? { term: category.term } : null;
}

/**
 * Understands «plate readers in Baltimore», «cameras near me», «Berlin webcams» and «near Zürich», in English and
 * Portuguese; of German, French and Spanish, the names of kinds and the words around them.
 * @param {string} typed @param {Term[]} groups @param {Term[]} terms
 * @returns {Phrase | null} null for a kind alone, and for a name alone
 */
export function readPhrase(typed, groups, terms) {
  const own = typed.replace(/[?!.]+\s*$/, '').trim().split(/[\s,]+/).filter(Boolean);
  let words = own.map(folded);
  if (WATCHING.includes(words.join(' '))) return { place: '', isHere: true, isSure: true };
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
 * The names of towns that an address may end with, the longest first: «Bahnhofstrasse 10 Zürich» ends with «Zürich»,
 * and «Zürich HB» begins with it. «Rua Augusta» is no address in Augusta.
 * @param {string} typed
 */
export function possibleTowns(typed) {
  const parts = typed.trim().split(',');
  const words = parts[parts.length - 1].trim().split(/\s+/).filter((word) => word && !/\d/.test(word));
  const isAddress = parts.length > 1 || /\d/.test(typed);
  const street = STREET.test(folded(words[0] ?? '')) ? 1 : 0;
  const all = words.length - (parts.length > 1 ? 0 : isAddress && !street ? 0 : 1 + street);
  const ends = [4, 3, 2, 1].filter((count) => count <= all).map((count) => words.slice(-count).join(' '));
  const isPart = PARTS.includes(folded(words[words.length - 1] ?? ''));
  return isAddress || !isPart ? ends : [words.slice(0, -1).join(' '), ...ends];
}
