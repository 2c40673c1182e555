// @ts-check
// Asks for the meanings of a search text: places, addresses, devices and phrases.

import { isAbort, latestOnly } from '../api.js';
import { ITEMS } from '../devices/list-request.js';
import { language } from '../i18n.js';
import { soon } from '../late.js';
import { keepPlaces } from '../places/nearest.js';
import { scheme } from '../taxonomies.js';
import { folded } from '../words.js';
import { recentPlaces } from './recent-places.js';
import { matchingCategories, matchingGroups, suggestions } from './suggestions.js';

/** @typedef {import('./suggestions.js').Suggestion} Suggestion */
/** @typedef {import('./phrase.js').Phrase} Phrase */
/** @typedef {import('../types').Place} Place */
/**
 * The meaning of a text without a request to the server.
 * @typedef {object} Begun
 * @property {string} typed
 * @property {Phrase | null} phrase
 * @property {Suggestion[]} found
 * @property {boolean} isWhole whether the server knows nothing more
 * @property {Parameters<typeof suggestions>[1]} own
 */
/** @typedef {{found: Suggestion[], credit: string, isBroken: boolean}} Answer `isBroken`: the places are missing */

const PLACES = 6; // places and addresses
const NAMESAKES = 2; // places that «cameras in Baltimore» may mean
/** How texts are read: arrives when the field is used first. Without it, a text is only a name. */
const reading = () => soon(import('./phrase.js')).catch(() => ({
  everydayKind: () => null, possibleTowns: () => [], readPhrase: () => null,
}));

export class Answers {
  /** @param {() => import('../types').Position | null} middle the middle of the map; null if it shows half the world */
  constructor(middle) {
    this.middle = middle;
    this.askPlaces = latestOnly();
    this.askDevices = latestOnly();
    this.askPhrase = latestOnly();
    this.askTown = latestOnly();
  }

  /**
   * The suggestions that need no request; all of them for an empty text.
   * @param {string} typed @returns {Promise<Begun>}
   */
  async begin(typed) {
    const read = reading();
    const [groups, terms] = await Promise.all(['category_groups', 'categories'].map(async (name) => (
      [...(await scheme(name).catch(() => new Map())).values()])));
    const nothing = { groups, categories: [], places: [], devices: [] };
    if (!typed.trim()) {
      const own = { ...nothing, meanings: [/** @type {Suggestion} */ ({ kind: 'meaning' })], recent: recentPlaces() };
      return { typed, phrase: null, own, found: suggestions('', own), isWhole: true };
    }
    const { everydayKind, readPhrase } = await read;
    const phrase = readPhrase(typed, groups, terms);
    const { group, term } = /** @type {Partial<Phrase>} */ (everydayKind(typed, groups, terms) ?? {});
    const own = {
      ...nothing, groups: [...new Set([...(group ? [group] : []), ...matchingGroups(typed, groups)])],
      categories: matchingCategories(typed, terms, 4),
      ...(phrase?.isHere && { meanings: [meaning(phrase)] }),
    };
    if (term && !own.categories.some((match) => match.term === term)) own.categories.unshift({ term });
    return {
      typed, phrase, own, found: suggestions(typed, own), isWhole: Boolean(phrase?.isHere) || typed.trim().length < 2,
    };
  }

  /**
   * The results of the server.
   * @param {Begun} begun @returns {Promise<Answer>}
   * @throws {Error} if another text has been asked since
   */
  async finish({ typed, phrase, own }) {
    const q = encodeURIComponent(typed.trim());
    const [answer, devices, meant] = await Promise.all([
      this.placesNamed(this.askPlaces, typed.trim()),
      partOf(this.askDevices(`${ITEMS}?q=${q}&limit=5&properties=manufacturer&with=places&lang=${language()}`)),
      phrase && this.placesNamed(this.askPhrase, phrase.place),
    ]);
    /** @type {import('../types').DeviceFeature[]} */
    const features = devices?.features ?? [];
    keepPlaces(features.map(({ geometry }) => geometry.coordinates), devices?.places ?? []);
    let places = /** @type {Place[]} */ (answer?.places ?? []);
    const meanings = !phrase ? [] : meantPlaces(phrase, places, meant?.places ?? []).slice(0, NAMESAKES)
      .map((place) => meaning(phrase, place));
    let isInstead = false;
    if (!places.length && answer !== null) {
      if (meanings.length) places = meant?.places ?? [];
      else {
        places = await this.town(phrase?.isSure ? phrase.place : typed.trim());
        isInstead = true;
        if (phrase?.isSure) meanings.push(...places.map((place) => meaning(phrase, place, true)));
      }
    }
    return {
      found: suggestions(typed, { ...own, places, devices: features, meanings, isInstead }),
      credit: answer?.attribution ?? '', isBroken: answer === null,
    };
  }

  /**
   * The town of an address that was not found, as where the instance has no streets.
   * @param {string} typed
   * @returns {Promise<Place[]>}
   */
  async town(typed) {
    const { possibleTowns } = await reading();
    for (const name of possibleTowns(typed)) {
      const place = (await this.placesNamed(this.askTown, name))?.places?.[0];
      if (place?.is_exact || (place && folded(place.name) === folded(name))) return [place];
    }
    return [];
  }

  /**
   * @param {(url: string) => Promise<any>} ask @param {string} name
   * @returns {Promise<any>} null if the server does not answer
   */
  placesNamed(ask, name) {
    return partOf(ask(`/api/places?q=${encodeURIComponent(name)}&limit=${PLACES}${this.near}`));
  }

  /** The parameter for the middle of the map, to about a kilometre: an exact one would say where a user looks. */
  get near() {
    const middle = this.middle();
    return middle ? `&near=${middle.map((degrees) => degrees.toFixed(2)).join(',')}` : '';
  }
}

/**
 * The places of a phrase. «Câmara de Lobos» is a town before it is a camera in Lobos, and «The Hague» is a name.
 * Without a word such as «in», only a whole name counts.
 * @param {Phrase} phrase @param {Place[]} places of the whole text @param {Place[]} meant places of the phrase
 */
function meantPlaces({ group, term, isSure }, places, meant) {
  if (places.length && (isSure || (!group && !term))) return [];
  return isSure ? meant : meant.filter(({ is_exact: isExact }) => isExact);
}

/**
 * A suggestion for a phrase.
 * @param {Phrase} phrase @param {Place} [place]
 * @param {boolean} [isInstead] whether the place is the town of an address
 * @returns {Suggestion}
 */
function meaning({ group, term }, place, isInstead = false) {
  return {
    kind: 'meaning', ...(group && { group }), ...(term && { term }), ...(place && { place }),
    ...(isInstead && { isInstead }),
  };
}

/**
 * One of several answers: null if it fails.
 * @param {Promise<any>} answer
 * @throws {Error} if another request has replaced it
 */
async function partOf(answer) {
  try {
    return await answer;
  } catch (error) {
    if (isAbort(error)) throw error;
    return null;
  }
}
