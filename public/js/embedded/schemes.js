// @ts-check
// The schemes of a frame, which it requests before the scripts that use them have arrived.

/** Of the map. */
export const MAP_WORDS = ['categories', 'statuses'];
/** Of every chart. */
export const CHART_WORDS = ['categories', 'category_groups', 'glossary'];
