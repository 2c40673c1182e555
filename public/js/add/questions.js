// @ts-check
// The questions about a device, their order, and which of them are optional. Pure.

import { PROPERTIES } from '../devices/properties.js';
import { precisionOf } from '../drafts/draft.js';

/** @typedef {import('../drafts/draft.js').Draft} Draft */
/**
 * @typedef {'needed' | 'spot' | 'more'} Part needed: required. spot: answered on site. more: known from other sources.
 */
/**
 * @typedef {object} Question
 * @property {string} id
 * @property {Part} part
 * @property {string[]} properties
 * @property {'low' | 'half' | 'full'} room share of a phone screen that the question takes; the map takes the rest
 * @property {(draft: Draft) => boolean} [when]
 */

/** Data that a device collects by observing in a direction. */
const SEEN = ['visual', 'still_image', 'video', 'plate', 'biometric', 'biometric_template'];

/** @param {Draft} draft */
function looks(draft) {
  return (draft.properties.data_collected ?? []).some((/** @type {string} */ code) => SEEN.includes(code));
}

/** @param {Draft} draft */
const isClose = (draft) => ['exact', '100m'].includes(precisionOf(draft));
/** @param {Draft} draft */
const isHome = (draft) => draft.properties.operator?.kind === 'household';

/**
 * In the order of asking. Each asks for the properties that name it.
 * @type {Omit<Question, 'properties'>[]}
 */
const ASKED = [
  { id: 'place', part: 'needed', room: 'low' },
  { id: 'category', part: 'needed', room: 'full' },
  { id: 'name', part: 'needed', room: 'full' },
  { id: 'precision', part: 'spot', room: 'half' },
  { id: 'photos', part: 'spot', room: 'full' },
  { id: 'bearings', part: 'spot', room: 'half', when: (draft) => looks(draft) && isClose(draft) },
  { id: 'data_collected', part: 'spot', room: 'full' },
  { id: 'operator', part: 'spot', room: 'full' },
  { id: 'signage', part: 'spot', room: 'full' },
  { id: 'setting', part: 'spot', room: 'full' },
  { id: 'zone', part: 'spot', room: 'full', when: (draft) => !isHome(draft) },
  { id: 'mount', part: 'spot', room: 'full' },
  { id: 'level', part: 'more', room: 'full' },
  { id: 'purposes', part: 'more', room: 'full' },
  { id: 'choices', part: 'more', room: 'full', when: (draft) => !isHome(draft) },
  { id: 'retention', part: 'more', room: 'full' },
  { id: 'processing', part: 'more', room: 'full' },
  { id: 'storage', part: 'more', room: 'full' },
  { id: 'shared_with', part: 'more', room: 'full' },
  { id: 'identifiability', part: 'more', room: 'full' },
  { id: 'legal_basis', part: 'more', room: 'full', when: (draft) => !isHome(draft) },
  { id: 'thing', part: 'more', room: 'full' },
  { id: 'description', part: 'more', room: 'full' },
];

/** @type {Question[]} */
export const QUESTIONS = ASKED.map((one) => ({
  ...one, properties: PROPERTIES.flatMap(({ name, question }) => (question === one.id ? [name] : [])),
}));

/** @param {string} id */
export function question(id) {
  return QUESTIONS.find((one) => one.id === id) ?? null;
}

/**
 * The questions that apply to a draft, in order. For a kind that is mostly in homes the precision comes early,
 * because its position is coarse from the start. Otherwise it is the last question answered on site. Later answers do
 * not change the order.
 * @param {Draft} draft
 * @returns {Question[]}
 */
export function asked(draft) {
  const kept = QUESTIONS.filter((one) => one.when?.(draft) ?? true);
  if (draft.isHomeKind) return kept;
  const precision = kept.filter((one) => one.id === 'precision');
  const rest = kept.filter((one) => one.id !== 'precision');
  const end = rest.findIndex((one) => one.part === 'more');
  return [...rest.slice(0, end), ...precision, ...rest.slice(end)];
}

/**
 * The step after a question: the next question of the same part. After the last question on site it
 * is the review.
 * @param {Draft} draft @param {string} id
 */
export function following(draft, id) {
  const all = asked(draft);
  const at = all.findIndex((one) => one.id === id);
  const next = all[at + 1];
  if (at < 0 || !next) return 'review';
  return next.part === 'more' && all[at].part !== 'more' ? 'review' : next.id;
}

/**
 * Progress within the current part: «3 of 12». The number of steps depends on the category: null before it is known.
 * @param {Draft} draft @param {string} id @returns {{step: number, steps: number | null} | null}
 */
export function progress(draft, id) {
  const all = asked(draft);
  const now = all.find((one) => one.id === id);
  if (!now) return null;
  const part = all.filter((one) => (one.part === 'more') === (now.part === 'more'));
  return { step: part.indexOf(now) + 1, steps: draft.properties.category ? part.length : null };
}

/**
 * Whether a question has an answer. An assumed answer counts.
 * @param {Draft} draft @param {Question} one
 */
export function isAnswered(draft, one) {
  if (one.id === 'place') return draft.place !== null;
  if (one.id === 'photos') return draft.photos.length > 0;
  if (one.id === 'precision') return true;
  return one.properties.some((name) => name in draft.properties);
}

/**
 * The question that an error of the server refers to, for example the question «operator» for
 * «properties.operator.name».
 * @param {string} field name of the field in the error
 */
export function questionOf(field) {
  const path = field.replace(/\[\d+\]/g, '').split(/[./]/).filter((part) => part && part !== 'properties');
  if (['geometry', 'coordinates', 'longitude', 'latitude'].includes(path[0])) return 'place';
  return QUESTIONS.find((one) => one.properties.includes(path[0]))?.id ?? null;
}
