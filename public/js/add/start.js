// @ts-check
// The part of adding that is loaded when somebody adds: opens the wizard over the map.

import { styleSheet, fieldStyles } from '../fields/fields.js';
import { scheme } from '../taxonomies.js';
import { deliver, wake } from './deliveries.js';
import { draftStore } from './draft-store.js';
import { Wizard } from './wizard.js';

/** @typedef {import('./wizard.js').WizardContext} WizardContext */
/** @typedef {Omit<WizardContext, 'drafts' | 'deliver' | 'wake'>} AddContext what the map page hands in */

const SCHEMES = [
  'categories', 'data', 'purposes', 'identifiability', 'processing', 'storage', 'recipients', 'legal_bases', 'signage', 'operator_kinds',
  'statuses', 'precisions', 'settings', 'zones', 'mounts', 'choices', 'glossary',
];

/** @type {Promise<Wizard> | undefined} */
let made;

/**
 * The one wizard of the page.
 * @param {AddContext} context
 * @returns {Promise<Wizard>}
 */
export function wizard(context) {
  made ??= make(context).catch((error) => {
    made = undefined;
    throw error;
  });
  return made;
}

/** @param {AddContext} context */
async function make(context) {
  const [drafts] = await Promise.all([
    draftStore(), fieldStyles(), styleSheet('css/add.css'), ...SCHEMES.map((name) => scheme(name)),
  ]);
  return new Wizard({ ...context, drafts, deliver, wake });
}
