// @ts-check
// The questions about a device, their order, and which of them are optional. Pure.

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

/** @type {Question[]} */
export const QUESTIONS = [
  { id: 'place', part: 'needed', properties: [], room: 'low' },
  { id: 'category', part: 'needed', properties: ['category'], room: 'full' },
  { id: 'name', part: 'needed', properties: ['name'], room: 'full' },
  { id: 'precision', part: 'spot', properties: ['precision'], room: 'half' },
  { id: 'photos', part: 'spot', properties: [], room: 'full' },
  {
    id: 'bearings', part: 'spot', properties: ['bearings', 'field_of_view'], room: 'half',
    when: (draft) => looks(draft) && isClose(draft),
  },
  { id: 'data_collected', part: 'spot', properties: ['data_collected'], room: 'full' },
  { id: 'operator', part: 'spot', properties: ['operator'], room: 'full' },
  { id: 'signage', part: 'spot', properties: ['signage'], room: 'full' },
  { id: 'setting', part: 'spot', properties: ['setting'], room: 'full' },
  { id: 'zone', part: 'spot', properties: ['zone'], room: 'full', when: (draft) => !isHome(draft) },
  { id: 'mount', part: 'spot', properties: ['mount'], room: 'full' },
  { id: 'level', part: 'more', properties: ['level', 'height'], room: 'full' },
  { id: 'purposes', part: 'more', properties: ['purposes'], room: 'full' },
  { id: 'choices', part: 'more', properties: ['choices'], room: 'full', when: (draft) => !isHome(draft) },
  { id: 'retention', part: 'more', properties: ['retention'], room: 'full' },
  { id: 'processing', part: 'more', properties: ['processing'], room: 'full' },
  { id: 'storage', part: 'more', properties: ['storage'], room: 'full' },
  { id: 'shared_with', part: 'more', properties: ['shared_with'], room: 'full' },
  { id: 'identifiability', part: 'more', properties: ['identifiability'], room: 'full' },
  { id: 'legal_basis', part: 'more', properties: ['legal_basis'], room: 'full', when: (draft) => !isHome(draft) },
  { id: 'thing', part: 'more', properties: ['manufacturer', 'model', 'units'], room: 'full' },
  { id: 'description', part: 'more', properties: ['description'], room: 'full' },
];

/** @param {string} id */
export function question(id) {
  return QUESTIONS.find((one) => one.id === id) ?? null;
}

/**
 * The questions that apply to a draft, in order. For a private home the precision comes early,
 * because its position is coarse from the start. Otherwise it is the last question answered on
 * site.
 * @param {Draft} draft
 * @returns {Question[]}
 */
export function asked(draft) {
  const kept = QUESTIONS.filter((one) => one.when?.(draft) ?? true);
  if (isHome(draft)) return kept;
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
 * Progress within the current part: «3 of 12».
 * @param {Draft} draft @param {string} id @returns {{step: number, steps: number} | null}
 */
export function progress(draft, id) {
  const all = asked(draft);
  const now = all.find((one) => one.id === id);
  if (!now) return null;
  const part = all.filter((one) => (one.part === 'more') === (now.part === 'more'));
  return { step: part.indexOf(now) + 1, steps: part.length };
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
