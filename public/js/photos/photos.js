// @ts-check
// The photos of a device, read from the API. Pure functions.

/**
 * @typedef {object} Photo
 * @property {string} id
 * @property {string} alt
 * @property {number} width pixels
 * @property {number} height pixels
 * @property {string} url the large image
 * @property {string} thumb the small image
 * @property {boolean} waiting visible only to its author until a moderator accepts it
 * @property {boolean} hidden hidden by a moderator
 * @property {boolean} editable whether the reader may change it
 */

/**
 * The address if it is on this server, otherwise the fallback.
 * @param {unknown} value @param {string} otherwise fallback
 */
function ownAddress(value, otherwise) {
  return typeof value === 'string' && /^\/(?!\/)/.test(value) ? value : otherwise;
}

/**
 * @param {any} list from the API
 * @returns {Photo[]}
 */
export function readPhotos(list) {
  return (Array.isArray(list) ? list : []).filter((one) => typeof one?.id === 'string').map((one) => {
    const base = `/api/photos/${encodeURIComponent(one.id)}`;
    return {
      id: one.id,
      alt: typeof one.alt === 'string' ? one.alt : '',
      width: Number.isFinite(one.width) && one.width > 0 ? one.width : 4,
      height: Number.isFinite(one.height) && one.height > 0 ? one.height : 3,
      url: ownAddress(one.url, `${base}?size=large`),
      thumb: ownAddress(one.thumb, `${base}?size=thumb`),
      waiting: one.state === 'waiting',
      hidden: one.state === 'hidden',
      editable: one.editable === true,
    };
  });
}

/**
 * The list with one entry moved; the same list if the new index is outside it.
 * @template Entry
 * @param {Entry[]} list @param {number} from @param {number} to
 * @returns {Entry[]}
 */
export function moved(list, from, to) {
  if (from === to || from < 0 || to < 0 || from >= list.length || to >= list.length) return list;
  const next = [...list];
  const [entry] = next.splice(from, 1);
  next.splice(to, 0, entry);
  return next;
}
