// @ts-check
// The database of unsaved edits in this browser. There is at most one edit for each device and account.

import { openDatabase } from '../storage/database.js';

/** @typedef {import('../edit/edit.js').Edit} Edit */
/** @typedef {import('../types').Database<{edit: {key: string, edit: Edit}}>} EditDatabase */

const NAME = 'farol-edits';
const VERSIONS = [{ edit: { key: 'key' } }];
const LIFETIME = 30 * 86_400_000; // milliseconds after which an edit is deleted

/** @type {Promise<EditDatabase> | undefined} */
let opened;

/** @returns {Promise<EditDatabase>} */
export function database() {
  opened ??= openDatabase(NAME, VERSIONS, () => { opened = undefined; });
  return opened;
}

/** @param {Edit} edit */
export const isOver = (edit) => Date.now() - edit.at > LIFETIME;

/** The number of stored edits. */
export async function countKept() {
  return (await (await database()).all('edit')).filter(({ edit }) => !isOver(edit)).length;
}
