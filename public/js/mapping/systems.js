// @ts-check
// Coordinate systems of lists, by the range of their numbers and by names. Pure.

/**
 * @typedef {object} System
 * @property {string} code
 * @property {string} name
 * @property {boolean} isNamed whether the list names it
 */

/**
 * Systems of national surveys and of web maps, with the range of x and y in their country: the west, south, east and
 * north of the areas of use in the EPSG dataset, rounded outwards. Then words that name the system.
 * @type {readonly [string, string, number, number, number, number, RegExp | null][]}
 */
const SYSTEMS = [
  ['EPSG:2056', 'CH1903+ / LV95', 2_480_000, 1_070_000, 2_840_000, 1_300_000, /lv95|ch1903plus/],
  ['EPSG:21781', 'CH1903 / LV03', 480_000, 70_000, 840_000, 300_000, /lv03|ch1903/],
  ['EPSG:2154', 'RGF93 / Lambert-93', 0, 6_000_000, 1_300_000, 7_200_000, /lambert ?93|l93|rgf93/],
  ['EPSG:28992', 'Amersfoort / RD New', 10_000, 300_000, 290_000, 630_000, /\brd\b|rijksdriehoek/],
  ['EPSG:31370', 'Belge Lambert 72', 20_000, 20_000, 300_000, 250_000, /lambert ?72|belge/],
  ['EPSG:27700', 'OSGB36 / British National Grid', 0, 0, 700_000, 1_300_000, /osgb|british|bng/],
  ['EPSG:29903', 'Irish Grid', 10_000, 10_000, 370_000, 470_000, /irish/],
  ['EPSG:2157', 'IRENET95 / Irish Transverse Mercator', 400_000, 500_000, 780_000, 970_000, /\bitm\b/],
  ['EPSG:31466', 'DHDN / Gauss-Krüger 2', 2_480_000, 5_200_000, 2_660_000, 6_100_000, null],
  ['EPSG:31467', 'DHDN / Gauss-Krüger 3', 3_260_000, 5_200_000, 3_760_000, 6_110_000, null],
  ['EPSG:31468', 'DHDN / Gauss-Krüger 4', 4_330_000, 5_200_000, 4_750_000, 6_110_000, null],
  ['EPSG:31469', 'DHDN / Gauss-Krüger 5', 5_330_000, 5_560_000, 5_540_000, 6_110_000, null],
  ['EPSG:25829', 'ETRS89 / UTM 29', 200_000, 3_900_000, 800_000, 4_900_000, /utm ?29/],
  ['EPSG:25830', 'ETRS89 / UTM 30', 200_000, 3_800_000, 830_000, 4_900_000, /utm ?30/],
  ['EPSG:25831', 'ETRS89 / UTM 31', 160_000, 3_900_000, 860_000, 5_400_000, /utm ?31/],
  ['EPSG:25832', 'ETRS89 / UTM 32', 240_000, 4_100_000, 960_000, 6_500_000, /utm ?32/],
  ['EPSG:25833', 'ETRS89 / UTM 33', 160_000, 3_900_000, 900_000, 7_700_000, /utm ?33/],
  ['EPSG:3763', 'ETRS89 / Portugal TM06', -130_000, -310_000, 170_000, 290_000, /tm ?06/],
  ['EPSG:3003', 'Monte Mario / Italy 1', 1_290_000, 3_900_000, 1_900_000, 5_250_000, /gauss.?boaga|monte ?mario/],
  ['EPSG:2180', 'ETRF2000 / Poland CS92', 140_000, 120_000, 900_000, 790_000, /1992|puwg/],
  ['EPSG:5514', 'S-JTSK / Krovak East North', -910_000, -1_240_000, -160_000, -930_000, /krovak|jtsk/],
  ['EPSG:3006', 'SWEREF99 TM', 200_000, 6_100_000, 930_000, 7_700_000, /sweref/],
  ['EPSG:3067', 'ETRS89 / TM35FIN', 40_000, 6_550_000, 760_000, 7_800_000, /tm35/],
  ['EPSG:2263', 'NAD83 / New York Long Island (ftUS)', 900_000, 110_000, 1_600_000, 420_000, /long ?island/],
  ['EPSG:3435', 'NAD83 / Illinois East (ftUS)', 900_000, 200_000, 1_250_000, 2_200_000, /illinois/],
  ['EPSG:2272', 'NAD83 / Pennsylvania South (ftUS)', 1_200_000, 100_000, 2_800_000, 700_000, /pennsylvania/],
  ['EPSG:2952', 'NAD83 / MTM 10', 180_000, 4_620_000, 450_000, 5_200_000, /mtm ?10/],
  ['EPSG:28355', 'GDA94 / MGA zone 55', 230_000, 5_100_000, 780_000, 9_100_000, /mga ?(zone )?55/],
  ['EPSG:28356', 'GDA94 / MGA zone 56', 160_000, 5_800_000, 780_000, 8_500_000, /mga ?(zone )?56/],
  ['EPSG:2326', 'Hong Kong 1980 Grid', 793_000, 799_000, 871_000, 851_000, /hk ?1?9?80/],
  ['EPSG:3414', 'SVY21 / Singapore TM', 2_000, 15_000, 51_000, 51_000, /svy ?21/],
  ['EPSG:2039', 'Israel 1993 / Israeli TM', 120_000, 370_000, 300_000, 810_000, /israel/],
  ['EPSG:3826', 'TWD97 / TM2 zone 121', 140_000, 2_400_000, 360_000, 2_820_000, /twd ?97|tm2/],
  ['EPSG:2193', 'NZGD2000 / New Zealand TM', 1_000_000, 4_700_000, 2_200_000, 6_250_000, /nztm/],
  ['EPSG:3857', 'WGS 84 / Pseudo-Mercator (web maps)', -20_040_000, -20_050_000, 20_040_000, 20_050_000,
    /3857|900913|mercator/],
];

/** The system of web maps covers the Earth, so its range says little. */
export const WEB_MAPS = 'EPSG:3857';
/** The share of positions that must be in the range. */
const MOST = 0.9;

/**
 * The systems that numbers can have, the likely ones first; one that the names state comes first.
 * @param {readonly ([number, number] | null)[]} pairs @param {readonly string[]} names of the columns and the file
 * @returns {System[]}
 */
export function systemsFor(pairs, names) {
  const known = /** @type {[number, number][]} */ (pairs.filter((pair) => pair !== null));
  if (!known.length) return [];
  const words = names.join(' ').toLowerCase().replace(/[_-]/g, ' ');
  const inside = SYSTEMS.filter(([, , west, south, east, north]) => (
    known.filter(([x, y]) => x >= west && x <= east && y >= south && y <= north).length >= known.length * MOST));
  const found = inside.map(([code, name, , , , , pattern]) => ({
    code, name, isNamed: words.includes(code.slice(5)) || (pattern?.test(words) ?? false),
  }));
  const order = (/** @type {System} */ { code, isNamed }) => (
    isNamed ? 0 : code === WEB_MAPS ? 2 : 1);
  return found.sort((one, other) => order(one) - order(other));
}
