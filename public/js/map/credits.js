// @ts-check
// Long attributions, cut to the names that a map has room for. Pure; the whole stands on the about page.

/**
 * «© OpenStreetMap contributors, available under …» is «© OpenStreetMap contributors»; each name once.
 * @param {string} attribution parts divided by « · »
 */
export function shortCredits(attribution) {
  const names = attribution.split(' · ').map((part) => part.split(/, | - | \(/)[0].trim());
  return [...new Set(names)].filter(Boolean).sort((a, b) => Number(b.startsWith('©')) - Number(a.startsWith('©'))).join(', ');
}
