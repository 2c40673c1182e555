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
      article: text(one.article),
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
