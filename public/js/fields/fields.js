// @ts-check
// Fields for the properties of a device, by their names in the API. Adding and editing both use
// these fields.

import { propertyNamed } from '../devices/properties.js';
import { h } from '../dom.js';
import { fileAddress } from '../files.js';
import { has, translate } from '../i18n.js';
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

/**
 * Fields that the table of properties does not describe.
 * @type {Record<string, Maker>}
 */
const MAKERS = {
  level: levelField,
  bearings: bearingsField,
  field_of_view: viewWidthField,
  data_collected: dataField,
  retention: retentionField,
  operator: operatorField,
  choices: choicesField,
  precision: precisionField,
};

/**
 * The field that the table of properties describes.
 * @param {import('../devices/properties.js').Property} property @returns {Maker | null}
 */
function described({ name, kind, scheme: schemeName = '', look, least = 0, most = 0, isLong, ...rest }) {
  const { isLabelled, isWhole, step, symbol: unit, first } = rest;
  const label = () => translate(has(`field.${name}.ask`) ? `field.${name}.ask` : `field.${name}`);
  switch (kind) {
    case 'code': return oneOf(schemeName, look);
    case 'codes': return someOf(schemeName);
    case 'text': return (context) => textField(context, {
      most, long: isLong, label: isLabelled ? label() : undefined,
    });
    case 'number': return (context) => numberField(context, {
      least, most, step, isWhole, unit, first, label: label(),
    });
    default: return null;
  }
}

/**
 * Creates the field of a property.
 * @param {string} property
 * @param {FieldContext} context
 * @returns {Promise<Field>}
 */
export async function fieldFor(property, context) {
  const known = propertyNamed(property);
  const make = MAKERS[property] ?? (known && described(known));
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
      rel: 'stylesheet', href: fileAddress(path), onload: () => resolve(),
      onerror: () => resolve(),
    });
    document.head.append(link);
  });
  sheets.set(path, loading);
  return loading;
}
