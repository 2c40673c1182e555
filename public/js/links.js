// @ts-check
// Addresses in data that others wrote.

/**
 * A URL that is safe to link (http, https or mailto); otherwise null.
 * @param {string | null} value
 * @returns {string | null}
 */
export function safeLink(value) {
  if (!value) return null;
  const address = /^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(value) ? `mailto:${value}` : value;
  try {
    const url = new URL(address);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * The address of the page of an operator that devices name. The server finds the page of every spelling.
 * @param {string} name
 */
export function operatorAddress(name) {
  // A slash would be another part of the address. It counts as a space in names.
  return `/operators/named/${encodeURIComponent(name.replace(/[/\\.]+/g, ' ').trim() || '-')}`;
}
