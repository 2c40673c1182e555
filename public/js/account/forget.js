// @ts-check
// Deletes what this browser keeps of somebody: drafts, choices, and copies of what they looked at.

import { draftsKept } from '../add/waiting.js';
import { choicesKept } from '../choices/kept.js';

export async function forgetHere() {
  await Promise.all([forgetCopies(), forgetDrafts(), forgetChoices()]);
}

/** Copies for reading offline; the shell comes back by itself. */
export async function forgetCopies() {
  const names = 'caches' in window ? await caches.keys() : [];
  await Promise.all(names.filter((name) => name.startsWith('farol-') && !name.startsWith('farol-shell')).map((name) => caches.delete(name)));
}

/** Loads what knows drafts only where this browser holds some. */
async function forgetDrafts() {
  if (!draftsKept()) return;
  const { draftStore } = await import('../add/draft-store.js');
  await (await draftStore()).clear();
}

/** The same with the ledger. */
async function forgetChoices() {
  if (!choicesKept()) return;
  const { browserLedger } = await import('../choices/store.js');
  await (await browserLedger()).clear();
}
