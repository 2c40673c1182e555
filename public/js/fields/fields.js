// @ts-check
// Fields for the properties of a device, by their names in the API. Adding and editing both use
// these fields.

import { h } from '../dom.js';
import { translate } from '../i18n.js';
import { scheme } from '../taxonomies.js';
import { severalAnswers, singleAnswer, termAnswers } from './answers.js';
import { bearingsField } from './bearings.js';
import { dataField } from './data-collected.js';
import { levelField } from './level.js';
import { choicesField } from './offered-choices.js';
import { operatorField } from './operator.js';
import { precisionField } from './precision.js';
import { retentionField } from './retention.js';
import { numberField, textField } from './text.js';
import { viewWidthField } from './view-width.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').FieldContext} FieldContext */
/** @typedef {(context: FieldContext) => Field | Promise<Field>} Maker */

/**
 * Field for one term of a taxonomy.
 * @param {string} schemeName @param {'rows' | 'tiles'} [look] @returns {Maker}
 */
function oneOf(schemeName, look = 'rows') {
  return async (context) => {
    const codes = (await scheme(schemeName)).keys();
    return singleAnswer(context, termAnswers(schemeName, codes, look === 'rows'), { look });
  };
}

/** @param {string} schemeName @returns {Maker} */
function someOf(schemeName) {
  return async (context) => severalAnswers(context, termAnswers(schemeName, (await scheme(schemeName)).keys(), false));
}

/** @param {import('./text.js').TextOptions & {labelled?: string}} options @returns {Maker} */
function words({ labelled, ...options }) {
  return (context) => textField(context, { ...options, label: labelled && translate(labelled) });
}

/** @param {import('./text.js').NumberOptions} options @returns {Maker} */
function number(options) {
  return (context) => numberField(context, { ...options, label: translate(options.label) });
}

/** @type {Record<string, Maker>} */
const MAKERS = {
  name: words({ most: 120 }),
  description: words({ most: 2_000, long: true }),
  manufacturer: words({ most: 120, labelled: 'field.manufacturer' }),
  model: words({ most: 120, labelled: 'field.model' }),
  units: number({ least: 1, most: 10_000, label: 'field.units.ask', first: 2 }),
  level: levelField,
  height: number({ least: -100, most: 1_000, step: 0.5, label: 'field.height', unit: 'm', first: 3 }),
  setting: oneOf('settings'),
  zone: oneOf('zones', 'tiles'),
  mount: oneOf('mounts', 'tiles'),
  bearings: bearingsField,
  field_of_view: viewWidthField,
  data_collected: dataField,
  purposes: someOf('purposes'),
  identifiability: oneOf('identifiability'),
  processing: oneOf('processing'),
  storage: oneOf('storage'),
  retention: retentionField,
  shared_with: someOf('recipients'),
  legal_basis: oneOf('legal_bases'),
  signage: oneOf('signage'),
  operator: operatorField,
  choices: choicesField,
  precision: precisionField,
};

/**
 * Creates the field of a property.
 * @param {string} property
 * @param {FieldContext} context
 * @returns {Promise<Field>}
 */
export async function fieldFor(property, context) {
  const make = MAKERS[property];
  if (!make) throw new Error(`There is no field for ${property}`);
  return make(context);
}

/**
 * Loads the style sheet of the fields once, for pages that load fields on demand.
 * @returns {Promise<void>}
 */
export function fieldStyles() {
  return styleSheet('css/fields.css');
}

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/**
 * Loads a style sheet of this site and waits for it.
 * @param {string} path path inside public/
 */
export function styleSheet(path) {
  const known = sheets.get(path);
  if (known) return known;
  /** @type {Promise<void>} */
  const loading = new Promise((resolve) => {
    const link = h('link', {
      rel: 'stylesheet', href: new URL(`../../${path}`, import.meta.url).href, onload: () => resolve(),
      onerror: () => resolve(),
    });
    document.head.append(link);
  });
  sheets.set(path, loading);
  return loading;
}
