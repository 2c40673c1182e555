// @ts-check
// Reads the subject of a report from the address. Pure.

/** @typedef {{type: 'device' | 'photo' | 'account', id: string, device: string | null}} ReportTarget */

/** A username or an id. */
const PERSON = /^[^\s/]{3,40}$/u;
const IDENTIFIER = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A photo takes precedence over its device, and a device over a person.
 * @param {string} query
 * @returns {ReportTarget | null}
 */
export function parseTarget(query) {
  const parameters = new URLSearchParams(query);
  const read = (/** @type {string} */ name) => {
    const id = parameters.get(name) ?? '';
    return IDENTIFIER.test(id) ? id : null;
  };
  const [photo, device] = ['photo', 'device'].map(read);
  const person = parameters.get('person') ?? '';
  if (photo) return { type: 'photo', id: photo, device };
  if (device) return { type: 'device', id: device, device };
  return PERSON.test(person) ? { type: 'account', id: person, device: null } : null;
}
