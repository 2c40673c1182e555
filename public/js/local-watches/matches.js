// @ts-check
// Whether a device of a feed passes the filters of a watch, as the server decides for lists. Pure.

/** @typedef {import('../state.js').Filters} Filters */
/**
 * @typedef {object} MatchContext
 * @property {(code: string) => string[]} withDescendants a term of collected data and all terms below it
 * @property {string} today ISO day
 */

const DUE_DAYS = 60; // days before the stale day, as on the server
const DAY = 86_400_000; // milliseconds

/**
 * @param {Record<string, any>} properties of the device @param {Filters} filters @param {MatchContext} context
 */
export function passes(properties, filters, context) {
  return Object.entries(filters).every(([name, codes]) => {
    if (!codes.length) return true;
    const values = valuesOf(properties, name, context);
    const wanted = name === 'data_collected' ? codes.flatMap(context.withDescendants) : codes;
    return values.some((value) => wanted.includes(value));
  });
}

/**
 * @param {Record<string, any>} properties @param {string} name of a filter @param {MatchContext} context
 * @returns {string[]}
 */
function valuesOf(properties, name, { today }) {
  switch (name) {
    case 'choices': return list(properties.choices).map((choice) => choice?.kind);
    case 'operator_kind': return [properties.operator?.kind ?? 'unknown'];
    case 'operator': return list(properties.operator?.name);
    case 'freshness': return list(freshness(properties.stale_on, today));
    default: return list(properties[name]);
  }
}

/** @param {any} value @returns {any[]} */
function list(value) {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

/** @param {unknown} staleOn ISO day @param {string} today */
function freshness(staleOn, today) {
  if (typeof staleOn !== 'string') return null;
  if (staleOn <= today) return 'stale';
  const days = (Date.parse(staleOn) - Date.parse(today)) / DAY;
  return days <= DUE_DAYS ? 'due' : 'fresh';
}
