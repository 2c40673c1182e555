// @ts-check
// Guesses the meaning of the columns of a list from their names and values. Pure.

/**
 * @typedef {object} Column column of an inspected list
 * @property {string} column as a mapping writes it
 * @property {'empty' | 'number' | 'decimal_comma' | 'date' | 'text'} kind
 * @property {string[]} date_formats
 * @property {number} filled
 * @property {boolean} unique
 * @property {string[]} samples
 * @property {{value: string, count: number}[]} values
 * @property {(number | null)[]} numbers
 */
/**
 * @typedef {'id' | 'name' | 'category' | 'latitude' | 'longitude' | 'operator' | 'operator_kind' | 'status'
 *   | 'description' | 'manufacturer' | 'model' | 'started_on' | 'observed_on' | 'bearings' | 'field_of_view' | 'height'
 *   | 'level' | 'units' | 'drop' | ''} Use `drop`: never stored; empty: stored with the device, but not published
 */

/** @type {readonly Exclude<Use, ''>[]} */
export const USES = Object.freeze([
  'latitude', 'longitude', 'id', 'name', 'category', 'status', 'operator', 'operator_kind', 'description',
  'manufacturer', 'model', 'started_on', 'observed_on', 'bearings', 'field_of_view', 'height', 'level', 'units', 'drop',
]);

/**
 * Whole names, without signs, in the languages of the lists that people bring.
 * @type {Record<string, string>}
 */
const WHOLE = {
  latitude: 'lat latitude latitud latitudine breite breitengrad geolat gpslat gpslatitude latwgs84 wgs84lat '
    + 'latitudewgs84 y ycoord coordy coordenaday pointy ywgs84 geoy posy',
  longitude: 'lon lng long longitude longitud longitudine laenge lange langengrad laengengrad geolon geolng gpslon '
    + 'gpslng gpslongitude lonwgs84 wgs84lon longitudewgs84 x xcoord coordx coordenadax pointx xwgs84 geox posx',
  id: 'id uuid guid osmid deviceid cameraid sensorid assetid ident identifier identificador codigo code ref reference '
    + 'referencia nr numero number no kennung nummer key objectid fid ogcfid @id',
  name: 'name nome nombre nom title titulo titel titre label bezeichnung denominacao designacao designation',
  category: 'category categoria type tipo typ kind art klasse class tipologia devicetype cameratype camtype sensortype '
    + 'tipocamara tipodispositivo tipoequipamento',
  operator: 'operator operador operadora betreiber exploitant gestor gestore responsavel responsable owner eigentumer '
    + 'eigentuemer proprietario proprietaire dono entidade entity agency agencia organisation organization '
    + 'organizacao authority institution instituicao provider serviceprovider provedor fornecedor anbieter prestador '
    + 'proveedor fournisseur',
  operator_kind: 'operatorkind operatortype ownertype ownership tipooperador',
  status: 'status state estado zustand etat stato condition',
  description: 'description descricao descripcion beschreibung descrizione comment comments comentario remarks notes '
    + 'nota notas observacoes observaciones bemerkung',
  manufacturer: 'manufacturer fabricante hersteller fabricant make brand marca marke vendor',
  model: 'model modelo modell modele modello',
  started_on: 'startdate dateinstalled datainstalacao fechainstalacion opened openingdate inbetriebnahme since '
    + 'desde start begin commissioned',
  observed_on: 'observed observedon observedat seen lastseen surveyed surveydate checkdate lastchecked date data '
    + 'fecha datum timestamp updated updatedat lastupdate dataobservacao',
  bearings: 'direction bearing bearings heading azimuth azimut azimute direcao direccion richtung orientation '
    + 'orientacao rumo facing',
  field_of_view: 'fieldofview fov angle angulo cameraangle viewangle',
  height: 'height altura hohe hoehe hauteur altezza mountheight mountingheight',
  level: 'level floor piso andar etage stockwerk planta',
  units: 'units unidades quantity quantidade qty cameras numcameras devices numberofcameras numberofdevices anzahl',
};

/** Columns with contacts of people are never stored unless the admin decides otherwise. */
const PERSONAL = /^(e?mail|phone|tel(efon\w*|ephone)?$|mobile(phone|number)?$|telemovel|fax|contact|kontakt)/;

/** @type {ReadonlyMap<string, Use>} */
const BY_NAME = new Map(Object.entries(WHOLE).flatMap(
  ([use, names]) => names.split(' ').map((name) => [name, /** @type {Use} */ (use)])));

/**
 * The words of a column's name: without accents, in lower case.
 * @param {string} column
 */
export function wordsOf(column) {
  const last = column.startsWith('/') ? column.slice(column.lastIndexOf('/') + 1) : column;
  return last.replace(/([a-z0-9])([A-Z])/g, '$1 $2').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    .replace(/ß/g, 'ss').split(/[^a-z0-9@]+/).filter(Boolean);
}

/** @param {string} column @returns {Use} */
function useByName(column) {
  const words = wordsOf(column);
  if (PERSONAL.test(words.join(''))) return 'drop';
  const whole = BY_NAME.get(words.join(''));
  if (whole) return whole;
  if (words.some((word) => /^install?/.test(word))) return 'started_on';
  // Words such as «camera» or «installation» say what the list is about, so the rest of the name decides.
  for (const word of [words.at(-1), words[0]]) {
    const use = word && word.length > 1 ? BY_NAME.get(word) : undefined;
    if (use) return use;
  }
  return '';
}

/** @typedef {'category' | 'status' | 'operator_kind'} Field a field whose values are codes */
/** @typedef {readonly {code: string, label: string}[]} Terms */
/** @typedef {Record<Field, Terms>} Vocabulary the terms of each field */

/**
 * The meaning of each column; each meaning is given once.
 * @param {readonly Column[]} columns
 * @param {{rows: number, hasPositions: boolean, vocabulary: Vocabulary}} list `hasPositions`: whether the format itself
 *   provides positions
 * @returns {Record<string, Use>}
 */
export function guessUses(columns, { rows, hasPositions, vocabulary }) {
  /** @type {Record<string, Use>} */
  const uses = Object.fromEntries(columns.map(({ column }) => [column, '']));
  /** @type {Map<Use, {column: Column, score: number}>} */
  const best = new Map();
  columns.forEach((column, place) => {
    const use = useByName(column.column);
    if (use === '') return;
    if (use === 'drop') {
      uses[column.column] = 'drop';
      return;
    }
    if (column.kind === 'empty' || !fits(column, use, rows, vocabulary) || (hasPositions && isCoordinate(use))) return;
    const isExact = BY_NAME.get(wordsOf(column.column).join('')) === use;
    const score = (isExact ? 2 : 1) + column.filled / Math.max(rows, 1) - place / 10_000
      - (/^(objectid|ogcfid|fid|ref)$/.test(wordsOf(column.column).join('')) ? 1.5 : 0);
    if ((best.get(use)?.score ?? -Infinity) < score) best.set(use, { column, score });
  });
  for (const [use, { column }] of best) uses[column.column] = use;
  if (!hasPositions) placeByValues(columns, uses);
  return uses;
}

/** @param {Use} use */
export const isCoordinate = (use) => use === 'latitude' || use === 'longitude';
/** @param {Use} use */
export const isDate = (use) => use === 'started_on' || use === 'observed_on';
/** @param {Use} use @returns {use is Field} */
export const hasValues = (use) => use === 'category' || use === 'status' || use === 'operator_kind';

/**
 * Whether the values of a column can have the meaning of its name.
 * @param {Column} column @param {Use} use @param {number} rows @param {Vocabulary} vocabulary
 */
function fits(column, use, rows, vocabulary) {
  const isNumber = column.kind === 'number' || column.kind === 'decimal_comma';
  if (isCoordinate(use)) return column.numbers.length > 0 || !isNumber;
  if (isDate(use)) return column.kind === 'date' || /^(19|20)\d\d$/.test(column.samples[0] ?? '');
  if (use === 'id') return column.unique;
  if (['height', 'field_of_view', 'units'].includes(use)) return isNumber || /^\d/.test(column.samples[0] ?? '');
  if (hasValues(use)) {
    // A column without any known value (“Type: Free”) is about something else. “Other” says nothing.
    return (column.values.length < rows || rows < 20) && column.values.some(
      ({ value }) => ![null, 'other'].includes(guessCode(use, value, vocabulary[use])));
  }
  if (use === 'name' || use === 'operator' || use === 'description') return !isNumber;
  return true;
}

/**
 * If the names say nothing, two neighbouring columns of fractions within the range of degrees are the position.
 * @param {readonly Column[]} columns @param {Record<string, Use>} uses
 */
function placeByValues(columns, uses) {
  const given = Object.values(uses);
  if (given.includes('latitude') || given.includes('longitude')) return;
  const degrees = columns.filter((column) => looksLikeDegrees(column));
  const first = degrees.find((column, place) => degrees[place + 1] && columns.indexOf(degrees[place + 1])
    - columns.indexOf(column) <= 2);
  if (!first) return;
  const pair = [first, degrees[degrees.indexOf(first) + 1]];
  // A latitude is at most 90; most lists write it first.
  const isTurned = pair[0].numbers.some((number) => number !== null && Math.abs(number) > 90);
  uses[pair[isTurned ? 1 : 0].column] = 'latitude';
  uses[pair[isTurned ? 0 : 1].column] = 'longitude';
}

/** @param {Column} column */
function looksLikeDegrees({ numbers }) {
  const known = numbers.filter((number) => number !== null);
  const fractions = known.filter((number) => !Number.isInteger(number));
  return known.length > 0 && fractions.length * 10 >= known.length * 9
    && known.every((number) => Math.abs(/** @type {number} */ (number)) <= 180);
}

/**
 * A column that has both coordinates in one text, which is not read.
 * @param {readonly Column[]} columns
 */
export function pairColumn(columns) {
  const pair = /^(POINT ?)?[([]?\s*-?\d{1,3}[.]\d+\s*[,; ]\s*-?\d{1,3}[.]\d+\s*[)\]]?$/i;
  return columns.find(({ samples }) => samples.length > 0 && samples.every((text) => pair.test(text))) ?? null;
}

/**
 * Words in values and their categories; the first one found is used.
 * @type {readonly [RegExp, string][]}
 */
const CATEGORIES = [
  [/\b(alprs?|anpr|lprs?|flock|licen[cs]e plates?|number plates?|plate readers?|matriculas?|kennzeichen)\b/, 'alpr'],
  [/\b(speed|radars?|red light|traffic lights?|semaforo|blitzer|enforcement|velocidade|velocidad|rotlicht)\b/,
    'traffic_enforcement'],
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

/**
 * Words in values and their status.
 * @type {readonly [RegExp, string][]}
 */
const STATUSES = [
  [/\b(removed|removid\w+|dismantled|retired|decommissioned|desativad\w+|abgebaut|retirad\w+|gone)\b/, 'removed'],
];

/**
 * Words in values and their kind of operator.
 * @type {readonly [RegExp, string][]}
 */
const KINDS = [
  [/\b(public|municipal\w*|government|council|city|police|publico|publica|estado|camara|offentlich|state)\b/, 'public'],
  [/\b(company|private|privado|privada|business|empresa|commercial|firma|privat)\b/, 'company'],
  [/\b(household|residential|home|domestico|particular)\b/, 'household'],
];

/** @type {Readonly<Record<Field, readonly [RegExp, string][]>>} */
const TABLES = Object.freeze({ category: CATEGORIES, status: STATUSES, operator_kind: KINDS });

/**
 * The code for a value or a name; null if no word decides.
 * @param {Field} field
 * @param {string} value
 * @param {readonly {code: string, label: string}[]} [terms] of the vocabulary
 */
export function guessCode(field, value, terms = []) {
  const words = wordsOf(value.replace(/[/:]/g, ' ')).join(' ');
  const exact = terms.find(({ code, label }) => code === value || wordsOf(label).join(' ') === words);
  return exact?.code ?? TABLES[field].find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/**
 * The category of all rows, from the name of the file and the names of the columns.
 * @param {string} file @param {readonly Column[]} columns
 */
export function guessCategory(file, columns) {
  return guessCode('category', file.replace(/\.\w+/g, ' '))
    ?? guessCode('category', columns.flatMap(({ column }) => wordsOf(column)).join(' '));
}
