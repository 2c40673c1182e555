// @ts-check
// Requests to the API for photos.

import { getJSON, send } from '../api.js';

/** @param {string} device */
const ofDevice = (device) => `/api/collections/devices/items/${encodeURIComponent(device)}/photos`;
/** @param {string} photo */
const address = (photo) => `/api/photos/${encodeURIComponent(photo)}`;

/** @param {Blob} picture @param {string | null} alt */
function form(picture, alt) {
  const parts = new FormData();
  parts.append('image', picture, 'photo.jpg');
  parts.append('alt', alt ?? '');
  return parts;
}

/**
 * The photos of a device that the reader may see and change.
 * @param {string} device
 * @returns {Promise<unknown[]>} as in the API
 */
export async function photosOf(device) {
  return (await getJSON(ofDevice(device))).photos;
}

/**
 * @param {string} device @param {Blob} picture @param {string | null} alt
 * @param {string} key the same for each attempt, so that a lost response does not add the photo twice
 * @param {{progress?: (share: number) => void, signal?: AbortSignal}} [watched]
 */
export async function addPhoto(device, picture, alt, key, watched = {}) {
  await send('POST', ofDevice(device), { form: form(picture, alt), headers: { 'Idempotency-Key': key }, ...watched });
}

/**
 * Replaces a photo and keeps its description.
 * @param {string} photo @param {Blob} picture @param {string | null} alt
 * @param {{progress?: (share: number) => void, signal?: AbortSignal}} [watched]
 */
export async function replacePhoto(photo, picture, alt, watched = {}) {
  await send('PUT', address(photo), { form: form(picture, alt), ...watched });
}

/** @param {string} photo @param {string} alt */
export async function describePhoto(photo, alt) {
  await send('PATCH', address(photo), { json: { alt } });
}

/** @param {string} device @param {string[]} order ids of its photos, all of them */
export async function orderPhotos(device, order) {
  await send('PUT', ofDevice(device), { json: { photos: order } });
}

/** @param {string} photo */
export async function deletePhoto(photo) {
  await send('DELETE', address(photo));
}
