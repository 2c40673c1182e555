// @ts-check
// Shortens long attributions to the names, for which the map has room. The about page shows the full text. Pure.

/**
 * Shortens «© OpenStreetMap contributors, available under …» to «© OpenStreetMap contributors»; each name once.
 * @param {string} attribution parts separated by « · »
 */
export function shortCredits(attribution) {
  const names = attribution.split(' · ').map((part) => part.split(/, | - | \(/)[0].trim());
  return [...new Set(names)].filter(Boolean).sort((a, b) => Number(b.startsWith('©')) - Number(a.startsWith('©')))
    .join(', ');
}
