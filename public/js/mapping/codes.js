// @ts-check
// The codes that words in values mean. Pure.

import { saysInUse, wordsOf } from './headers.js';

/** @typedef {import('./guess.js').Column} Column */
/** @typedef {import('./guess.js').Field} Field */
/** @typedef {import('./guess.js').Terms} Terms */

/** Rows with such a value are left out. */
export const SKIP = 'skip';

/**
 * Words in values and their categories; the first one found is used.
 * @type {readonly [RegExp, string][]}
 */
const CATEGORIES = [
  [/\b(alprs?|anpr|lprs?|flock|licen[cs]e plates?|number plates?|plate readers?|matriculas?|kennzeichen)\b/, 'alpr'],
  [/\b(speed|radars?|red light|traffic lights?|semaforos?|blitzer|enforcement|velocidade|velocidad|vitesse|rotlicht)\b/,
    'traffic_enforcement'],
  [/\b(feux? rouges?|troncon|abschnittskontrolle|section control|trajectcontrole|flitspaal)\b/, 'traffic_enforcement'],
  [/\b(webcams?|live ?cams?)\b/, 'webcam'],
  [/\b(face|facial|biometric\w*|iris)\b/, 'biometric_camera'],
  [/\b(thermal|lidar|tof|infrared|termica|warmebild)\b/, 'depth_thermal'],
  [/\b(door ?bells?|campainhas?|turklingel)\b/, 'doorbell_camera'],
  [/\b(drones?|body ?cams?|mobile cameras?|camaras? move(l|is))\b/, 'mobile_camera'],
  [/\b(ptz|dome|domo|speed ?dome|panning|rotativa|drehbar)\b/, 'camera_ptz'],
  [/\b(wi ?fi|wlan|hotspots?|access points?)\b/, 'wifi_hotspot'],
  [/\b(beacons?|bluetooth|ble|ibeacons?)\b/, 'beacon'],
  [/\b(microphones?|microfones?|acoustic|gunshot|shotspotter|noise|ruido|mikrofon|sound)\b/, 'microphone'],
  [/\b(counters?|people count\w*|contador(es)?|contagem|zahler|footfall|occupancy|vivacity|telraam)\b/, 'occupancy'],
  [/\b(air quality|qualidade do ar|luftqualitat|weather|environment\w*|ambiente|temperature|temperatura)\b/,
    'environment'],
  [/\b(parking|estacionamento|parken|parkplatz)\b/, 'parking_mobility'],
  [/\b(smart meters?|contador(es)? inteligentes?|stromzahler)\b/, 'smart_meter'],
  [/\b(turnstiles?|access control|controlo de acesso|zutritt|badge reader)\b/, 'access_control'],
  [/\b(cameras?|cams?|cctv|camaras?|fixed|fixas?|fijas?|bullet|vigilancia|surveillance|kameras?|video\w*)\b/,
    'camera_fixed'],
];
/** How a speed camera stands. */
const STANDING = /^(mobile?s?|movil|movel|moveis|stationar|semi ?stationar|fest)$/;
/** The category of the most general words. */
const GENERAL = 'camera_fixed';

/** Words for devices that never existed, or do not exist yet, in the languages of the lists. */
const NOT_INSTALLED = words('(nao|no|not|non|nicht|niet) (instalad[oa]s?|installed|installee?s?|installiert|geplaatst)',
  'pendiente\\w*', 'por instalar', 'a instalar');
const REMOVED = words('removed|removid\\w+|removal|dismantled|demolished|uninstalled|retired|decommissioned|gone',
  'desativad\\w+|desactivad\\w+|desinstalad\\w+|desmontad\\w+|retirad\\w+|baja|abatid\\w+',
  'abgebaut|abgerissen|demontiert|entfernt|stillgelegt|supprime\\w*|depose\\w*|enleve\\w*|demonte\\w*|retire',
  'rimoss\\w+|dismess\\w+|verwijderd|opgeheven');
const PLANNED = words('void|voided|desired|wanted|wish|planned|proposed|future|cancell?ed|rejected|under construction',
  'geplant|vorgesehen|projektiert|im bau|planead\\w+|planejad\\w+|planificad\\w+|previst[oa]s?|em construcao',
  'proyectad\\w+|projetad\\w+|projectad\\w+|cancelad\\w+|anulad\\w+|en construccion',
  'prevue?s?|en projet|projete\\w*|annule\\w*|en construction|gepland|voorgesteld|in aanbouw|pianificat\\w+');

const INACTIVE = words('inactive', 'not active', 'disabled', 'deactivated', 'out of (service|order|use)',
  'not (in )?(use|service|operational|working)', 'inativ\\w+', 'inactiv\\w+', 'fora de servico', 'fuera de servicio',
  'hors service', 'ausser betrieb', 'inaktiv', 'fuori servizio', 'buiten (gebruik|dienst)', 'desligad\\w+',
  'nieczynn\\w+');
const ACTIVE = words('active', 'in (service|operation|use)', 'operational', 'working', 'installed', 'existing',
  'ativ[oa]s?', 'em servico', 'em funcionamento', 'instalad[oa]s?', 'activ[oa]s?', 'en servicio', 'actifs?', 'actives?',
  'en service', 'aktiv', 'in betrieb', 'vorhanden', 'bestehend', 'attiv[oa]', 'in servizio', 'actief',
  'in (bedrijf|gebruik)', 'czynn\\w+', 'istniejac\\w+');
const YES = /^(true|1|y|yes|t|x|sim|si|oui|ja|tak|vrai)$/;
const NO = /^(false|0|n|no|f|nao|non|nein|nee|nie|falso|faux)$/;

/** @param {...string} list */
function words(...list) {
  return new RegExp(`\\b(${list.join('|')})\\b`);
}

/**
 * Words in values and their status. A wish, a plan or a cancelled device is no device; a device out of use is left
 * out until a person decides.
 * @type {readonly [RegExp, string][]}
 */
const STATUSES = [[NOT_INSTALLED, SKIP], [REMOVED, 'removed'], [PLANNED, SKIP], [INACTIVE, SKIP], [ACTIVE, 'reported']];

/**
 * Words in values and their kind of operator.
 * @type {readonly [RegExp, string][]}
 */
const KINDS = [
  [/\b(public|municipal\w*|government|council|city|police|publico|publica|estado|camara|offentlich|state)\b/, 'public'],
  [/\b(company|private|privado|privada|business|empresa|commercial|firma|privat)\b/, 'company'],
  [/\b(household|residential|home|domestico|particular)\b/, 'household'],
];

/** @type {Readonly<Record<string, readonly [RegExp, string][]>>} */
const TABLES = Object.freeze({ category: CATEGORIES, status: STATUSES, operator_kind: KINDS });

/**
 * The code for a value or a name; null if no word decides.
 * @param {Field} field
 * @param {string} value
 * @param {Terms} [terms] of the vocabulary
 * @param {string | null} [whole] the category of the whole list, which general words such as «fixed» mean, too
 * @param {string} [column]
 */
export function guessCode(field, value, terms = [], whole = null, column = '') {
  const said = wordsOf(value.replace(/[/:]/g, ' ')).join(' ');
  const isInUse = field === 'status' ? saysInUse(column) : null;
  if (isInUse !== null && (YES.test(said) || NO.test(said))) return YES.test(said) === isInUse ? 'reported' : SKIP;
  const exact = terms.find(({ code, label }) => code === value || wordsOf(label).join(' ') === said);
  if (exact) return exact.code;
  const code = TABLES[field]?.find(([pattern]) => pattern.test(said))?.[1] ?? null;
  if (field !== 'category') return code;
  // In a list of speed cameras, «mobile» and «stationary» say how they stand.
  if (whole === 'traffic_enforcement' && STANDING.test(said)) return whole;
  return code === GENERAL ? whole ?? code : code;
}

/**
 * The category of all rows, from the name of the file and the names of the columns.
 * @param {string} file @param {readonly Column[]} columns
 */
export function guessCategory(file, columns) {
  return guessCode('category', file.replace(/\.\w+/g, ' '))
    ?? guessCode('category', columns.flatMap(({ column }) => wordsOf(column)).join(' '));
}
