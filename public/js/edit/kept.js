// @ts-check
// Unsaved edits, stored in this browser so that a closed tab, a lost connection or signing in loses
// nothing. There is at most one for each device and account. Saving deletes it.

import { database, isOver } from '../unsaved/database.js';
import { isWorthKeeping } from './edit.js';

/** @typedef {import('./edit.js').Edit} Edit */

/** @param {string} device @param {string | null} account */
const keyOf = (device, account) => `${device} ${account ?? ''}`;

/**
 * Stores an edit, or deletes one without any change.
 * @param {Edit} edit
 */
export async function keep(edit) {
  const key = keyOf(edit.id, edit.account);
  if (isWorthKeeping(edit)) await (await database()).put('edit', { key, edit });
  else await (await database()).delete('edit', key);
}

/**
 * The stored edit of a device. An edit that began before signing in goes over to the account.
 * @param {string} device @param {string | null} account
 * @returns {Promise<Edit | null>}
 */
export async function kept(device, account) {
  return (await database()).write(['edit'], async (transaction) => {
    const all = await transaction.all('edit');
    for (const { key, edit } of all) if (isOver(edit)) transaction.delete('edit', key);
    const [found] = [keyOf(device, account), keyOf(device, null)]
      .flatMap((key) => all.find((one) => one.key === key)?.edit ?? []);
    if (!found) return null;
    if (found.account === account) return found;
    const own = { ...found, account };
    transaction.delete('edit', keyOf(device, null));
    transaction.put('edit', { key: keyOf(device, account), edit: own });
    return own;
  });
}

/**
 * Deletes the stored edit of a device.
 * @param {string} device @param {string | null} account
 */
export async function forget(device, account) {
  await (await database()).write(['edit'], (transaction) => {
    for (const key of [keyOf(device, account), keyOf(device, null)]) transaction.delete('edit', key);
  });
}
