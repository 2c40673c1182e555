// @ts-check
// Deletes the data this browser stores about a user: drafts, choices, and cached copies of visited
// pages.

import { draftsKept } from '../drafts/waiting.js';
import { choicesKept } from '../ledger/kept.js';

export async function forgetHere() {
  await Promise.all([forgetCopies(), forgetDrafts(), forgetChoices()]);
}

/**
 * Deletes the copies stored for offline reading. The service worker caches the application shell
 * again by itself.
 */
export async function forgetCopies() {
  const names = 'caches' in window ? await caches.keys() : [];
  await Promise.all(names.filter((name) => name.startsWith('farol-') && !name.startsWith('farol-shell'))
    .map((name) => caches.delete(name)));
}

/** Loads the draft store only where this browser holds drafts. */
async function forgetDrafts() {
  if (!draftsKept()) return;
  const { draftStore } = await import('../drafts/draft-store.js');
  await (await draftStore()).clear();
}

/** Loads the ledger only where this browser holds choices. */
async function forgetChoices() {
  if (!choicesKept()) return;
  const { browserLedger } = await import('../ledger/store.js');
  await (await browserLedger()).clear();
}
