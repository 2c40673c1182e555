// @ts-check
// The title of the list: how many devices there are, and of which kinds. Pure.

import { plural, translate } from '../i18n.js';

/** @typedef {import('../families.js').Family} Family */
/** @typedef {{category?: string | null, count: number}} Group a category and its number of devices */

const NAMED = 2; // families in a title
const FEW = 2; // a family with fewer devices is not named, because its name is in the plural

/**
 * Such as «6,991 cameras, plate readers and other devices here», or «Baltimore: 26 cameras».
 * @param {number} total @param {Map<Family, number>} families
 * @param {{name: string, bordered?: boolean} | null} [place] the place whose devices these are
 */
export function kindsTitle(total, families, place) {
  if (!total && !place) return translate('list.here.none');
  const devices = kindsOf(total, families);
  if (!place) return translate('list.here', { devices });
  return translate(place.bordered ? 'list.in_place' : 'list.around_place', { devices, place: place.name });
}

/** @param {number} total @param {Map<Family, number>} families */
function kindsOf(total, families) {
  if (total === 0) return translate('kinds.devices.zero');
  if (total === 1) {
    const [family = 'other'] = families.keys();
    return family === 'other' ? plural('kinds.devices', 1)
      : plural('kinds.only', 1, { first: plural(kind(family), 1) });
  }
  const named = [...families].filter(([family, count]) => family !== 'other' && count >= FEW)
    .sort((a, b) => b[1] - a[1]).slice(0, NAMED);
  const rest = total - named.reduce((sum, [, count]) => sum + count, 0);
  const [first, second] = named.map(([family, count]) => plural(kind(family), count));
  if (!first) return plural('kinds.devices', total);
  const key = second ? 'kinds.and' : 'kinds.only';
  const more = second ? '_others' : '_and_others';
  return plural(rest ? `${key}${more}` : key, total, { first, second });
}

/** @param {Family} family */
function kind(family) { return `kinds.${family}`; }

/**
 * The number of devices of each family.
 * @param {Group[]} groups @param {(category: string) => Family} familyOf
 * @returns {Map<Family, number>}
 */
export function familiesOf(groups, familyOf) {
  /** @type {Map<Family, number>} */
  const families = new Map();
  for (const { category, count } of groups) {
    const family = familyOf(category ?? '');
    families.set(family, (families.get(family) ?? 0) + count);
  }
  return families;
}
