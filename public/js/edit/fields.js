// @ts-check
// The field of each question of the form: those of adding a device, and a category and a place of its own.

import { singleAnswer, termAnswers } from '../fields/answers.js';
import { fieldFor } from '../fields/fields.js';
import { textField } from '../fields/text.js';
import { translate } from '../i18n.js';
import { scheme } from '../taxonomies.js';
import { placeField } from './place-field.js';

/** @typedef {import('../fields/field.js').FieldContext} FieldContext */
/** @typedef {import('../fields/field.js').Field} Field */
/**
 * A field that needs to know when it stands in the page, and when it is taken out.
 * @typedef {Field & {shown?: () => void, left?: () => void, check?: () => boolean}} FormField
 */

/**
 * @param {string} question @param {FieldContext & {properties: Record<string, any>}} context
 * @returns {Promise<FormField>}
 */
export async function questionField(question, context) {
  if (question === 'category') {
    return singleAnswer(context, termAnswers('categories', (await scheme('categories')).keys(), true), { look: 'rows', unknown: false });
  }
  if (question === 'started_on') return textField(context, { most: 10, label: translate('edit.started_on'), placeholder: '2024-05' });
  if (question === 'place') return placeField(context);
  return fieldFor(question, context);
}
