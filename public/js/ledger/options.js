// @ts-check
// Options for a device, from the API: choices offered by the operator, rights under the law of the
// country, and the letter for each. Pure.

import { COURTESY } from './deadline.js';
import { readPractice } from './outcomes.js';

/** @typedef {import('./deadline.js').Rule} Rule */
/**
 * @typedef {object} Offered
 * @property {string} kind
 * @property {string | null} channel
 * @property {string | null} target
 * @property {string | null} instructions
 * @property {number | null} deadlineDays
 * @property {string | null} checkedOn
 * @property {string | null} letter null: no letter is needed
 * @property {boolean} isOperators true: stated by the operator; false: reported by contributors
 */
/**
 * @typedef {object} Right
 * @property {string} code
 * @property {string} label
 * @property {string} summary
 * @property {string[]} limits
 * @property {string | null} article
 * @property {string | null} cite the article or section in the form of letters
 * @property {string | null} law name of the act, where a regime has several
 * @property {string | null} effectiveOn day since which the act is in force
 * @property {string[]} operators kinds of operators that the right applies to; empty: all
 * @property {string | null} url URL of the legal text
 * @property {string | null} deadline ISO 8601 duration
 * @property {string | null} extension ISO 8601 duration; null: no extension
 * @property {string | null} letter null: no letter claims this right
 * @property {boolean} isLaw whether the deadline is set by law
 */
/**
 * @typedef {object} Authority
 * @property {string} name
 * @property {string | null} web
 * @property {string | null} complaintPage
 * @property {string | null} email
 * @property {string[]} languages
 * @property {string | null} note
 */
/** @typedef {{words: string, article: string | null, url: string | null}} Limit */
/** @typedef {{code: string, label: string}} Region */

/** @param {unknown} value @returns {string | null} */
const text = (value) => (typeof value === 'string' && value.trim() ? value : null);
/** @param {unknown} value @returns {string | null} */
const web = (value) => (/^https?:\/\//.test(text(value) ?? '') ? /** @type {string} */ (value) : null);
/** @param {unknown} value @returns {string[]} */
const texts = (value) => (Array.isArray(value) ? value.filter((one) => text(one)) : []);
/** @param {unknown} value @returns {any[]} */
const list = (value) => (Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []);

export class Options {
  /** @param {any} given response of `…/items/{id}/choices` */
  constructor(given) {
    const rights = given?.rights ?? {};
    /** @type {Record<string, any>} */
    this.letters = given?.letters ?? {};
    /** @type {string | null} */
    this.country = text(rights.country);
    /** True near a border or a coast. The user can then correct the country. */
    this.isCountryUncertain = rights.country_uncertain === true;
    /** @type {string[]} countries in which a device near a border may be, the country of its record first */
    this.countries = texts(rights.countries);
    /** @type {string | null} state, where the law of the country differs by state */
    this.region = text(rights.region);
    this.isRegionUncertain = rights.region_uncertain === true;
    /** @type {Region[]} states to choose from; empty where the state is certain */
    this.regions = list(rights.regions).filter((one) => text(one.code) && text(one.label));
    /** @type {string | null} language for letters, unless the person chooses another */
    this.letterLanguage = text(rights.letter_language);
    /** @type {string | null} day on which this law was entered, if no lawyer has checked it since */
    this.uncheckedSince = text(rights.checked_on) ? null : text(rights.written_on);
    /** @type {string | null} null: Farol does not cover the law of the country */
    this.regime = text(rights.regime?.code ?? rights.regime);
    /** @type {string | null} name of the law */
    this.law = text(rights.label);
    /** @type {readonly string[]} */
    this.freeDays = texts(rights.free_days);
    /** @type {Authority | null} */
    this.authority = authority(rights.authority);
    /** @type {Limit[]} */
    this.limits = list(rights.limits).map((one) => ({
      words: text(one.text) ?? text(one.label) ?? '', article: text(one.article), url: web(one.url),
    })).filter(({ words }) => words);
    /** @type {import('./outcomes.js').Practice | null} outcomes of earlier requests; null: not requested */
    this.practice = given?.practice ? readPractice(given.practice) : null;
    /** @type {Offered[]} */
    this.offered = list(given?.offered).filter((one) => text(one.kind)).map((one) => ({
      kind: one.kind, channel: text(one.channel), target: text(one.target), instructions: text(one.instructions),
      deadlineDays: Number.isInteger(one.deadline_days) && one.deadline_days > 0 ? one.deadline_days : null,
      checkedOn: text(one.checked_on), letter: this.letterOf(one.kind), isOperators: one.by === 'operator',
    }));
    /** @type {Right[]} */
    this.rights = list(rights.rights).filter((one) => text(one.code)).map((one) => ({
      code: one.code, label: text(one.label) ?? one.code, summary: text(one.summary) ?? '', limits: texts(one.limits),
      article: text(one.article), cite: text(one.cite), law: text(one.law), effectiveOn: text(one.effective_on),
      operators: texts(one.operators),
      url: web(one.url), deadline: text(one.deadline), extension: text(one.extension),
      letter: this.letterOf(kindOf(one.code)), isLaw: one.deadline_basis !== 'courtesy',
    }));
  }

  /** @param {string} kind @returns {string | null} */
  letterOf(kind) {
    return text(Object.hasOwn(this.letters, kind) ? this.letters[kind] : null);
  }

  /**
   * Rule for the deadlines of a choice. A deadline stated by the operator takes precedence for a
   * choice that the operator offers.
   * @param {{kind: string, right: string | null}} choice
   * @returns {Rule}
   */
  ruleFor({ kind, right }) {
    const { freeDays } = this;
    const law = this.rights.find(({ code }) => code === right);
    if (right && law?.deadline) return { first: law.deadline, extension: law.extension, isLaw: law.isLaw, freeDays };
    const days = right ? null : this.offered.find((one) => one.kind === kind)?.deadlineDays ?? null;
    return { ...COURTESY, ...(days !== null && { first: `P${Math.min(days, 3_660)}D` }), freeDays };
  }
}

/** @param {any} given */
export function readOptions(given) {
  return new Options(given);
}

/**
 * The state in the code of a regime of one state («us-ca»), as the API expects it; null for other regimes.
 * @param {string | null} regime
 */
export function regionOf(regime) {
  return /^[a-z]{2}-[a-z]{2}$/.test(regime ?? '') ? String(regime).toUpperCase() : null;
}

/**
 * The choice that corresponds to a right.
 * @param {string} right
 */
export function kindOf(right) {
  return right === 'inform' ? 'notice_only' : right;
}

/**
 * The right that a letter claims; null for a choice that the operator offers.
 * @param {string} letter
 */
export function rightOf(letter) {
  if (letter === 'opt_out') return 'object';
  return letter === 'offered' ? null : letter;
}

/** @param {any} given @returns {Authority | null} */
function authority(given) {
  const name = text(given?.name);
  return name === null ? null : {
    name, web: web(given.web), complaintPage: web(given.complaint_page), email: text(given.email),
    languages: texts(given.languages), note: text(given.note),
  };
}
