// @ts-check
// The photos of a device as the page reads them. Pure.

/**
 * @typedef {object} Photo
 * @property {string} id
 * @property {string} alt
 * @property {number} width pixels
 * @property {number} height pixels
 * @property {string} url the large picture
 * @property {string} thumb the small one
 * @property {boolean} waiting seen by its author only, until somebody had a look
 * @property {boolean} hidden taken out of sight by a moderator
 * @property {boolean} mine whether the reader may change it
 */

/**
 * An address on this server only.
 * @param {any} value @param {string} otherwise
 */
function ownAddress(value, otherwise) {
  return typeof value === 'string' && /^\/(?!\/)/.test(value) ? value : otherwise;
}

/**
 * @param {any} list as the interface gives it
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
      mine: one.mine === true,
    };
  });
}

/**
 * A list with one entry moved; the same list where that leads out of it.
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
