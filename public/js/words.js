// @ts-check
// Compares texts as people type them. Pure.

/**
 * Text without case and diacritics, so that «camara» finds «Câmara».
 * @param {string} text
 */
export function folded(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
