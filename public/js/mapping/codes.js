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
  'rimoss\\w+|dismess\\w+|verwijderd|opgeheven|vervallen|eliminad\\w+|withdrawn|deleted|abandoned|zdemontowan\\w+',
  'usuniet\\w+|historic|former|decommissioning|dismantling');
const PLANNED = words('void|voided|desired|wanted|wish|planned|proposed|future|cancell?ed|rejected|under construction',
  'geplant|vorgesehen|projektiert|im bau|planead\\w+|planejad\\w+|planificad\\w+|previst[oa]s?|em construcao',
  'proyectad\\w+|projetad\\w+|projectad\\w+|cancelad\\w+|anulad\\w+|en construccion',
  'prevue?s?|(en )?projet|projete\\w*|annule\\w*|en construction|en travaux|gepland|voorgesteld|in aanbouw',
  'pianificat\\w+|planowan\\w+|em implantacao|en implementacion|ordered|spare|in (stock|storage)|not built',
  '(pending|awaiting|under|in|for|scheduled) (install|installation|commissioning)',
  'installation (pending|in progress|scheduled)',
  'to be commissioned');
/** Devices that only look like one. */
const DUMMY = words('dummy|dummies|fake|attrappe\\w*|factices?|simulad[oa]s?|ficticia?s?|finta|nep');

const INACTIVE = words('inactive', 'not active', 'disabled', 'deactivated', 'out of (service|order|use)',
  'not (in )?(use|service|operational|working)', 'inativ\\w+', 'inactiv\\w+', 'fora de servico', 'fuera de servicio',
  'hors service', 'ausser betrieb', 'inaktiv', 'fuori servizio', 'buiten (gebruik|dienst|bedrijf)', 'desligad\\w+',
  'nieczynn\\w+', 'nieaktywn\\w+', 'non operational', 'abgeschaltet|ausgeschaltet|suspended|suspendid\\w+|pasif');
const ACTIVE = words('active', 'in (service|operation|use)', 'operational', 'working', 'installed', 'existing',
  'ativ[oa]s?', 'em servico', 'em funcionamento', 'instalad[oa]s?', 'activ[oa]s?', 'en servicio', 'actifs?', 'actives?',
  'en service', 'aktiv', 'in betrieb', 'vorhanden', 'bestehend', 'attiv[oa]', 'in servizio', 'actief',
  'in (bedrijf|gebruik)', 'czynn\\w+', 'istniejac\\w+', 'live', 'commissioned', 'geplaatst', 'in funzione',
  '(em|en) operaci?[oa]o?n?', 'en fonctionnement', 'aktywn\\w+', 'aktif', 'aktiv\\w*',
  'funkcni', 'kaytossa', 'i drift');
const YES = /^(true|1|y|yes|t|x|sim|si|oui|ja|tak|vrai)$/;
/** A question without an answer. */
const NO_ANSWER = /^(unknown|n a|unbekannt|inconnu|desconhecido)?$/;
const NO = /^(false|0|n|no|f|nao|non|nein|nee|nie|falso|faux)$/;

/** An active device, or a removed one, of which a word before says that it is none, or not yet. */
const BEFORE = '\\b(no|not|non|nao|nicht|niet|nie|kein\\w*|geen|sin|pas|tidak|neni|ikke|inte|ei|nem|to be|pending'
  + '|awaiting|scheduled|planned|proposed|zu)';
const NOT_ACTIVE = new RegExp(
  `${BEFORE}( (be|for|yet|longer|currently|encore|mehr|mais|mas|ainda|aun))? ${ACTIVE.source}`);
const NOT_REMOVED = new RegExp(`${BEFORE}( (be|for|yet|encore|ainda|aun))? ${REMOVED.source}`
  + '|\\b(removal|decommissioning|dismantling) (planned|proposed|scheduled|pending)\\b');

/** @param {...string} list */
function words(...list) {
  return new RegExp(`\\b(${list.join('|')})\\b`);
}

/**
 * Words of scripts in which JavaScript finds no ends of words, and their status. Those that deny another one are
 * first.
 * @type {readonly [readonly string[], string][]}
 */
const STATUSES_OF_SCRIPTS = /** @type {[string, string][]} */ ([
  ['撤去 廃止 拆除 移除 已拆 報廢 报废 철거 폐지 폐쇄 демонтир снят удален списан إزالة مزال أزيل हटाया ถอดถอน รื้อถอน '
    + 'καταργηθηκε αφαιρεθηκε kaldırıl zrusen megszunt poistettu fjernet borttagen nedtagen dibongkar', 'removed'],
  ['予定 計画 未設置 規劃 规划 計畫 计划 建置中 未建 在建 施工 예정 미설치 планир проект строит مخطط الإنشاء योजना '
    + 'प्रस्तावित วางแผน σχεδια', SKIP],
  ['停用 停止 休止 不使用 未使用 중지 미운영 휴지 не_работает не_действу неактив отключ غير_نشط غير_فعال متوقف निष्क्रिय बंद '
    + 'ไม่ใช้งาน ngung_hoat_đong neaktiv εκτος_λειτουργιας ανενεργ', SKIP],
  ['稼働 使用中 運用中 設置済 已建置 正常 启用 啟用 在用 운영 정상 사용 действующ работает активн نشط فعال يعمل सक्रिय चालू '
    + 'ใช้งาน hoat_đong ενεργ σε_λειτουργια', 'reported'],
]).map(([list, status]) => [list.split(' ').map((word) => folded(word.replace('_', ' '))), status]);

/** @param {string} text as the values are compared */
function folded(text) {
  return wordsOf(text).join(' ');
}

/**
 * The status that words state; null if none decides. A wish, a plan or a cancelled device is no device; a device out of
 * use is left out until a person decides.
 * @param {string} said
 */
function statusOf(said) {
  if (NOT_INSTALLED.test(said)) return SKIP;
  if (DUMMY.test(said)) return 'not_a_device';
  // What is to be removed is still there.
  if (REMOVED.test(said)) return NOT_REMOVED.test(said) ? 'reported' : 'removed';
  if (PLANNED.test(said) || INACTIVE.test(said)) return SKIP;
  if (ACTIVE.test(said)) return NOT_ACTIVE.test(said) ? SKIP : 'reported';
  return STATUSES_OF_SCRIPTS.find(([list]) => list.some((word) => said.includes(word)))?.[1] ?? null;
}

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
const TABLES = Object.freeze({ category: CATEGORIES, operator_kind: KINDS });

/**
 * The code for a value or a name; null if no word decides.
 * @param {Field} field
 * @param {string} value
 * @param {Terms} [terms] of the vocabulary
 * @param {string | null} [whole] the category of the whole list, which general words such as «fixed» mean, too
 * @param {string} [column]
 * @returns {string | null}
 */
export function guessCode(field, value, terms = [], whole = null, column = '') {
  const said = wordsOf(value.replace(/[/:]/g, ' ')).join(' ');
  const isAnswer = YES.test(said) || NO.test(said);
  const isInUse = field === 'status' ? saysInUse(column) : null;
  if (isInUse !== null && isAnswer) return YES.test(said) === isInUse ? 'reported' : SKIP;
  // A column such as «CCTV» with yes and no.
  if (field === 'category' && isAnswer && column) return YES.test(said) ? guessCode('category', column) : SKIP;
  const exact = terms.find(({ code, label }) => code === value || wordsOf(label).join(' ') === said);
  if (exact) return exact.code;
  if (field === 'status') return statusOf(said);
  const code = TABLES[field]?.find(([pattern]) => pattern.test(said))?.[1] ?? null;
  if (field !== 'category') return code;
  // In a list of speed cameras, «mobile» and «stationary» say how they stand.
  if (whole === 'traffic_enforcement' && STANDING.test(said)) return whole;
  return code === GENERAL ? whole ?? code : code;
}

/**
 * Whether the values of a column only say whether there is a device of the kind that its name says.
 * @param {Column} column
 */
export function saysWhether({ column, values }) {
  const answers = values.map(({ value }) => wordsOf(value).join(' '));
  return answers.some((said) => YES.test(said) || NO.test(said))
    && answers.every((said) => YES.test(said) || NO.test(said) || NO_ANSWER.test(said))
    && guessCode('category', column) !== null;
}

/**
 * The category of all rows, from the name of the file and the names of the columns.
 * @param {string} file @param {readonly Column[]} columns
 */
export function guessCategory(file, columns) {
  return guessCode('category', file.replace(/\.\w+/g, ' '))
    ?? guessCode('category', columns.flatMap(({ column }) => wordsOf(column)).join(' '));
}
