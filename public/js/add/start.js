// @ts-check
// Opens the wizard over the map. Loaded only when a visitor adds a device.

import { deliver, wake } from '../drafts/deliveries.js';
import { draftStore } from '../drafts/draft-store.js';
import { styleSheet, fieldStyles } from '../fields/fields.js';
import { scheme } from '../taxonomies.js';
import { Wizard } from './wizard.js';

/** @typedef {import('./wizard.js').WizardContext} WizardContext */
/** @typedef {Omit<WizardContext, 'drafts' | 'deliver' | 'wake'>} AddContext objects from the map page */

const SCHEMES = [
  'categories', 'data', 'purposes', 'identifiability', 'processing', 'storage', 'recipients', 'legal_bases', 'signage',
  'operator_kinds',
  'statuses', 'precisions', 'settings', 'zones', 'mounts', 'choices', 'glossary',
];

/** @type {Promise<Wizard> | undefined} */
let made;

/**
 * The only wizard of the page.
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
