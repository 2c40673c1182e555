// @ts-check
// On every page: drafts that were handed over are sent, whichever page is open when they can be. The
// rest of adding is loaded only if this browser holds a draft.

const COUNT = 'farol.drafts'; // as draft-store.js writes it

/** Whether this browser holds drafts, as last counted. */
export function draftsKept() {
  try {
    return Number(localStorage.getItem(COUNT)) || 0;
  } catch {
    return 0;
  }
}

/**
 * Before signing out: what is to become of the drafts in this browser.
 * @returns {Promise<boolean>} whether to go on
 */
export async function partWithDrafts() {
  if (!draftsKept()) return true;
  const { askAboutDrafts } = await import('./at-sign-out.js');
  return askAboutDrafts();
}

/** Looks once the page has rested, and again when another tab has put something there. */
export function watchDrafts() {
  const look = () => { if (draftsKept()) import('./deliveries.js').then(({ deliver }) => deliver()).catch(() => undefined); };
  setTimeout(look, 500);
  addEventListener('storage', (event) => { if (event.key === COUNT) look(); });
}
