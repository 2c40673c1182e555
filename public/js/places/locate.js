// @ts-check
// Where the reader is; asked only when they tap, kept only in this page.

/** @typedef {import('../geography.js').Position} Position */

/**
 * @returns {Promise<{position: Position, accuracy: number}>} accuracy in metres
 * @throws {GeolocationPositionError | Error}
 */
export function locate() {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) {
      reject(new Error('unsupported'));
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ position: [coords.longitude, coords.latitude], accuracy: coords.accuracy }),
      reject,
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 },
    );
  });
}

/**
 * The sentence for what went wrong.
 * @param {unknown} error @returns {string} a key of the catalogue
 */
export function locateTrouble(error) {
  const code = /** @type {any} */ (error)?.code;
  if (code === 1) return 'locate.refused';
  if (code === 3) return 'locate.slow';
  return 'locate.unknown';
}
