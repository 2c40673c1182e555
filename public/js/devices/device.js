// @ts-check
// A device read from a GeoJSON feature. Pure. An absent or null value is unknown.

/** @typedef {import('../types').DeviceProperties} DeviceProperties */
/**
 * @typedef {object} Device
 * @property {string} id
 * @property {[number, number]} position longitude and latitude of the public position
 * @property {string} name
 * @property {string} category
 * @property {string} status
 * @property {string | null} precision
 * @property {string[]} dataCollected
 * @property {{
 *   name: string | null, kind: string | null, contact: string | null, privacyPolicy: string | null,
 *   dataProtectionContact: string | null,
 *   }} operator
 * @property {number[]} bearings
 * @property {number | null} fieldOfView
 * @property {string | null} lastConfirmed
 * @property {string | null} createdAt
 * @property {string | null} updatedAt
 * @property {Set<string>} assumed fields derived from the category that no contributor has confirmed
 * @property {Partial<DeviceProperties> & Record<string, any>} properties all properties, unchanged
 */

/** @param {unknown} value @returns {string | null} */
export function text(value) {
  return typeof value === 'string' && value.trim() ? value : null;
}

/** @param {unknown} value @returns {string[]} */
export function texts(value) {
  if (typeof value === 'string') return value ? [value] : [];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** @param {unknown} value @returns {number | null} */
export function number(value) {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/**
 * @param {any} feature as the API returns it; other collections may lack properties
 * @returns {Device}
 */
export function readDevice(feature) {
  const properties = feature?.properties ?? {};
  const operator = properties.operator ?? {};
  const [longitude, latitude] = feature?.geometry?.coordinates ?? [0, 0];
  return {
    id: String(feature?.id ?? properties.id ?? ''),
    position: [longitude, latitude],
    name: text(properties.name) ?? '',
    category: text(properties.category) ?? 'other',
    status: text(properties.status) ?? 'reported',
    precision: text(properties.precision),
    dataCollected: texts(properties.data_collected),
    operator: {
      name: text(operator.name) ?? text(properties.operator),
      kind: text(operator.kind),
      contact: text(operator.contact),
      privacyPolicy: text(operator.privacy_policy) ?? text(operator.privacy_policy_url),
      dataProtectionContact: text(operator.data_protection_contact),
    },
    bearings: (Array.isArray(properties.bearings) ? properties.bearings : []).filter(Number.isFinite),
    fieldOfView: number(properties.field_of_view),
    lastConfirmed: text(properties.last_confirmed),
    createdAt: text(properties.created_at),
    updatedAt: text(properties.updated_at),
    assumed: new Set(texts(properties.assumed)),
    properties,
  };
}
