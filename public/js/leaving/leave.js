// @ts-check
// Signing out. The user decides about data in this browser that would outlast the session.

import { partWithDiary } from '../diary/kept.js';
import { partWithDrafts } from '../drafts/waiting.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { late } from '../late.js';
import { partWithLedger } from '../ledger/kept.js';
import { partWithWatches } from '../local-watches/kept.js';
import { signOut } from '../session.js';
import { mayHoldDatabase } from '../storage/kept.js';
import { partWithAnswers } from '../walk/kept.js';

/**
 * Asks what may stay in this browser, then signs out. The sign-out is retried after an outage, so that the session does
 * not stay open.
 * @returns {Promise<boolean>} whether the user is signed out
 */
export async function leave() {
  const parts = [partWithEdits, partWithDrafts, partWithAnswers, partWithLedger, partWithWatches, partWithDiary];
  for (const part of parts) {
    if (!await part()) return false;
  }
  return steadily(saidOver(document.body), signOut);
}

/** Signing out deletes unsaved edits. Loads their module only where this browser may hold some. */
async function partWithEdits() {
  if (!await mayHoldDatabase('farol-edits')) return true;
  const { askAboutEdits } = await late(import('../unsaved/at-sign-out.js'));
  return askAboutEdits();
}
