// @ts-check
// The reader’s position. Requested only on a tap, and kept only in this page.

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
 * The message for an error.
 * @param {unknown} error @returns {string} key of the translation
 */
export function locateTrouble(error) {
  const code = /** @type {{code?: number} | undefined} */ (error)?.code;
  if (code === 1) return 'locate.refused';
  if (code === 3) return 'locate.slow';
  return 'locate.unknown';
}
