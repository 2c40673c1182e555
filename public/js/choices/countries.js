// @ts-check
// Countries whose law Farol covers: the rows of seed/rights/jurisdictions.json. Pure.

export const KNOWN_COUNTRIES = Object.freeze([
  'AT', 'AX', 'BE', 'BG', 'CH', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GB', 'GF', 'GP', 'GR', 'HR', 'HU',
  'IE', 'IS', 'IT', 'LI', 'LT', 'LU', 'LV', 'MF', 'MQ', 'MT', 'NL', 'NO', 'PL', 'PT', 'RE', 'RO', 'SE', 'SI', 'SK',
  'US', 'YT',
]);
