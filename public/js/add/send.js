// @ts-check
// Sends the draft of the wizard, unless a device of the same kind is already on the map at its position.

import { handedOver } from '../drafts/delivery.js';
import { translate } from '../i18n.js';
import { session } from '../session.js';
import { findLikely } from './likely.js';

/** @typedef {import('./wizard.js').Wizard} Wizard */

/**
 * Whether the draft may be a device that is on the map, so that the user has to compare. Devices of other kinds do not
 * need a decision: the draft says why it is not one of them.
 * @param {Wizard} wizard
 */
export async function needsComparison(wizard) {
  if (wizard.draft.different) return false;
  const { same, others } = await findLikely(wizard.draft);
  if (!same.length && others.length) {
    wizard.update((draft) => ({
      ...draft, different: translate('same.reason.other_kind'), others: others.map(({ device }) => device.id),
    }));
  }
  return same.length > 0;
}

/**
 * Hands the draft over to the outbox, and shows its state.
 * @param {Wizard} wizard
 */
export async function sendNow(wizard) {
  const { step } = wizard;
  const compares = await needsComparison(wizard);
  if (wizard.step !== step) return;
  wizard.isSending = compares;
  if (compares) {
    wizard.go('same');
    return;
  }
  await wizard.flush();
  const handed = await wizard.context.drafts.change(wizard.draft.id,
    (kept) => handedOver(kept, session()?.account ?? null, Date.now()));
  wizard.draft = handed ?? wizard.draft;
  wizard.go('delivery');
}
