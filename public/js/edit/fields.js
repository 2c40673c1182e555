// @ts-check
// Field for each question of the edit form. Most are the same as when adding a device; category and
// place differ.

import { singleAnswer, termAnswers } from '../fields/answers.js';
import { fieldFor } from '../fields/fields.js';
import { textField } from '../fields/text.js';
import { translate } from '../i18n.js';
import { scheme } from '../taxonomies.js';
import { placeField } from './place-field.js';

/** @typedef {import('../fields/field.js').FieldContext} FieldContext */
/** @typedef {import('../fields/field.js').Field} Field */
/**
 * A field with methods to call after adding it to the page and before removing it.
 * @typedef {Field & {shown?: () => void, left?: () => void, check?: () => boolean}} FormField
 */

/**
 * @param {string} question @param {FieldContext & {properties: Record<string, any>}} context
 * @returns {Promise<FormField>}
 */
export async function questionField(question, context) {
  if (question === 'category') {
    return singleAnswer(context,
      termAnswers('categories', (await scheme('categories')).keys(), true), { look: 'rows', unknown: false });
  }
  if (question === 'started_on') {
    return textField(context, { most: 10, label: translate('edit.started_on'), placeholder: '2024-05' });
  }
  if (question === 'place') return placeField(context);
  return fieldFor(question, context);
}
