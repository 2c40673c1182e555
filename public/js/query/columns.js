// @ts-check
// The columns of a table of devices. Pure.

/** In the order of the table; each can be switched off. */
export const COLUMNS = Object.freeze([
  'category', 'operator', 'data_collected', 'status', 'choices', 'purposes', 'legal_basis', 'retention', 'manufacturer',
  'model', 'units', 'setting', 'zone', 'height', 'country', 'started_on', 'observed_on', 'last_confirmed',
  'created_at', 'updated_at',
]);
export const USUAL_COLUMNS = Object.freeze(['category', 'operator', 'status', 'last_confirmed']);
