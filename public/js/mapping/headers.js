// @ts-check
// The meaning of a column by its name, in the languages of the lists that people bring. Pure.

/** @typedef {import('./guess.js').Use} Use */

/**
 * Whole names, without signs and accents. In English, Portuguese, Spanish, French, German, Italian, Dutch, Polish,
 * Russian, Greek, Chinese and Japanese.
 * @type {Partial<Record<Use, string>>}
 */
const WHOLE = {
  latitude: 'lat lats latitude latitud latitudine breite breitengrad breitengrade breedtegraad breedte szerokosc '
    + 'szerokoscgeograficzna szergeogr geolat gpslat gpslatitude latgps latwgs84 wgs84lat latitudewgs84 wgs84latitude '
    + 'decimallatitude declat latdd latdec latdeg latitudedd geolatitude centerlat centroidlat y ycoord coordy '
    + 'ycoordinate coordinatey coordinatay wspolrzednay ycoordinaat coordenaday coordonneey coordonneesy koordinatey '
    + 'ykoordinate ykoord pointy ywgs84 wgs84y geoy posy lokaty yutm utmy utmnorthing enlem xyy ylambert93 lambert93y '
    + 'y2154 yl93 y25832 yrd rdy yetrs89 northing northings hochwert nordwert nord noord utmnord n широта '
    + 'γεωγραφικοπλατος πλατος 纬度 緯度 北緯 '
    + 'itmn itmnorthing 위도 wgs84위도 خطالعرض دائرةالعرض عرضجغرافیایی קורוחב ละติจูด',
  longitude: 'lon lng long lons longitude longitud longitudine laenge lange langengrad laengengrad langengrade '
    + 'lengtegraad lengte dlugosc dlugoscgeograficzna dlgeogr geolon geolng gpslon gpslng gpslongitude longps gpslong '
    + 'lonwgs84 wgs84lon lngwgs84 longitudewgs84 wgs84longitude decimallongitude declon londd londec londeg '
    + 'longitudedd geolongitude geolong centerlon centerlng centroidlon x xcoord coordx xcoordinate coordinatex '
    + 'coordinatax wspolrzednax xcoordinaat coordenadax coordonneex coordonneesx koordinatex xkoordinate xkoord '
    + 'pointx xwgs84 wgs84x geox posx lokatx xutm utmx utmeasting boylam xyx xlambert93 lambert93x x2154 xl93 x25832 '
    + 'xrd rdx xetrs89 easting eastings rechtswert ostwert ost oost utmost e долгота γεωγραφικομηκος μηκος 经度 經度 '
    + 'itme itmeasting 経度 東経 경도 wgs84경도 خطالطول طولجغرافیایی קואורך ลองจิจูด',
  position: 'position posicao posicion posizione ubicacion location localizacao localizacion localisation '
    + 'localizzazione standort locatie lokalizacja geolocation geolocalisation geolocalizacion coordinates coordinate '
    + 'coordenadas coordonnees coordonneesgps koordinaten koordinate coordinaten coordinaat wspolrzedne latlon latlng '
    + 'latlong lonlat lnglat xy gps gpscoordinates geopoint geopoint2d geom geometry geometrie geometria geoshape '
    + 'gridref gridreference osgridref osgridreference nationalgrid ngr osgb irishgrid irishgridref mgrs utm geohash '
    + 'pluscode '
    + 'thegeom wkt wkb shape point punto ponto punkt latitudelongitude координаты συντεταγμενες 坐标 座標',
  id: 'id tunnus sorszam stt lp क्रमांक ნომერი '
    + 'uuid guid oid osmid deviceid cameraid sensorid assetid ident identifier identificador identifiant '
    + 'identificativo codigo code codice kod ref reference referencia referenz riferimento nr no num numero number '
    + 'nummer numer cameranummer kameranummer kennung key objectid fid ogcfid '
    + 'gid @id @key lfdnr номер ид κωδικος αα sirano 编号 編號 番号 번호 관리번호 일련번호 الرقم رقم شماره מספר',
  name: 'name nome nombre nom naam nazwa title titulo titel titre titolo tytul label bezeichnung benennung '
    + 'denominacao denominacion denominazione designacao designation omschrijving libelle intitule sitename '
    + 'cameraname locationname название наименование ονομα ονομασια adı adi isim nama navn namn nimi nazev '
    + 'nev ten नाम ठिकाण स्थान დასახელება 名称 名稱 名前 이름 '
    + '명칭 설치장소 الاسم اسم نام שם ชื่อ',
  category: 'category categoria categorie kategorie kategoria type tipo typ kind art klasse class clase classe '
    + 'soort tipologia devicetype cameratype camtype sensortype tipocamara tipodispositivo tipoequipamento '
    + 'typeequipement typecamera typradaru gerateart kameratyp geratetyp rodzaj тип вид τυπος κατηγορια turu '
    + 'jenis loai tyyppi druh प्रकार '
    + 'tur kategori 类型 類型 種類 種別 종류 유형 النوع نوع סוג ประเภท',
  operator: 'operator operador operadora operateur operatore betreiber exploitant gestor gestore gestionnaire '
    + 'responsavel responsable owner eigentumer eigentuemer eigenaar proprietario propietario titular proprietaire '
    + 'wlasciciel wlascicielobiektu dono beheerder zarzadca entidade entite ente entity agency agencia organisation '
    + 'organization organizacao organizacion authority institution instituicao provider serviceprovider provedor '
    + 'fornecedor anbieter prestador proveedor fournisseur maitredouvrage kameraeigentumer владелец оператор φορεας '
    + 'διαχειριστης 运营商 管理者 運営者 設置者 관리기관명 관리기관 운영기관',
  operator_kind: 'operatorkind operatortype ownertype ownership tipooperador typeexploitant eigentumsart',
  status: 'status state estado etat zustand stato statut toestand staat stan condition situacao статус состояние '
    + 'κατασταση durum durumu stav allapot tila trangthai स्थिति स्थिती '
    + '状态 狀態 状態 상태 الحالة وضعیت סטטוס สถานะ',
  description: 'description desc descricao descripcion beschreibung descrizione beschrijving opis comment comments '
    + 'comentario commentaire kommentar commento remarks remarques remark notes note nota notas observacoes '
    + 'observaciones bemerkung opmerking opmerkingen uwagi описание примечание περιγραφη 描述 説明 备注 備考 설명 비고',
  manufacturer: 'manufacturer fabricante hersteller fabricant produttore fabrikant producent make brand marca marke '
    + 'merk marque vendor производитель κατασκευαστης 制造商 メーカー',
  model: 'model modelo modell modele modello модель μοντελο 型号 型番',
  started_on: 'startdate dateinstalled installationdate dateinstallation installdate datainstalacao '
    + 'fechainstalacion einbaudatum installatiedatum datainstallazione datamontazu opened openingdate inbetriebnahme '
    + 'inbetriebnahmedatum miseenservice datemiseenservice datedemiseenservice since desde depuis seit start begin '
    + 'commissioned датаустановки 安装日期 設置日 설치연월 설치일자',
  observed_on: 'observed observedon observedat seen lastseen surveyed surveydate checkdate lastchecked '
    + 'lastinspection date data fecha datum timestamp updated updatedat lastupdate lastupdated dataobservacao datemaj '
    + 'misejour datemiseajour aktualisiert stand дата 更新日 데이터기준일자 기준일',
  bearings: 'direction bearing bearings heading azimuth azimut azimute azymut direcao direccion direzione richting '
    + 'kijkrichting sentido richtung blickrichtung kierunek orientation orientacao orientacion orientamento rumo '
    + 'facing направление κατευθυνση 方向 촬영방면정보 방향',
  field_of_view: 'fieldofview fov angle angulo cameraangle viewangle blickwinkel sichtfeld champdevision',
  height: 'height altura hohe hoehe hauteur altezza hoogte wysokosc mountheight mountingheight montagehohe высота '
    + 'υψος 高度 高さ',
  level: 'level floor piso andar etage stockwerk planta verdieping pietro',
  units: 'units unidades unites quantity quantidade cantidad quantite qty cameras numcameras devices '
    + 'numberofcameras numberofdevices nombredecameras nbcameras anzahl anzahlkameras aantal liczba liczbakamer '
    + 'количество 数量 台数 카메라대수 대수',
  setting: 'setting indooroutdoor innenaussen interiorexterior interieurexterieur',
  mount: 'mount mounting mounttype mounttyp montage montagem montaje befestigung support supporto',
  zone: 'zone zona zonetype',
  signage: 'signage sign signed sinalizacao senalizacion beschilderung signalisation',
  purposes: 'purpose purposes finalidade finalidad finalite zweck scopo finalita doel cel цель σκοπος 目的 설치목적구분 설치목적',
  data_collected: 'datacollected dadosrecolhidos datosrecogidos donneescollectees erhobenedaten',
  retention: 'retention retentionperiod conservacao prazoconservacao conservacion dureeconservation speicherdauer '
    + 'aufbewahrung bewaartermijn 보관일수',
  legal_basis: 'legalbasis baselegal fundamentolegal basejuridique rechtsgrundlage basegiuridica rechtsgrond',
  privacy_policy: 'privacypolicy privacyurl politicadeprivacidade datenschutzerklarung privacyverklaring',
};

/** Columns with contacts of people are never stored unless the admin decides otherwise. */
const PERSONAL = new RegExp('전화번호|^(e?mail|correo|phone|tel(efon\\w*|ephone)?$|mobile(phone|number)?$|telemovel|fax'
  + '|contact|kontakt)');

/** Columns that say yes for a device in use, and those that say yes for one out of use. */
const IN_USE = new Set(('active isactive enabled isenabled inservice isinservice operational isoperational inuse ativo '
  + 'ativa emservico activo activa enservicio actif enservice aktiv istaktiv inbetrieb attivo attiva inservizio actief '
  + 'inbedrijf czynny aktywny aktywna').split(' '));
const OUT_OF_USE = new Set(('deleted isdeleted removed isremoved retired isretired dismantled isdismantled demolished '
  + 'disused isdisused abandoned uninstalled obsolete isobsolete archived isarchived removido removida retirado '
  + 'retirada eliminado eliminada supprime depose geloscht abgebaut entfernt rimosso verwijderd usuniety '
  + 'inactive isinactive outofservice decommissioned isdecommissioned inativo inactivo inactif '
  + 'inaktiv horsservice ausserbetrieb inattivo inactief').split(' '));

/**
 * Whether a yes in a column means that the device is in use; null for any other column.
 * @param {string} column
 */
export function saysInUse(column) {
  const name = wordsOf(column).join('');
  return IN_USE.has(name) || (OUT_OF_USE.has(name) ? false : null);
}

/** When a record was written says nothing about the device. */
const OF_THE_RECORD = new Set(('create created creation creator createdate creado creada criado criada criacao '
  + 'creacion cree creee erstellt erfasst angelegt entered entry edit edited editor modified imported aangemaakt '
  + 'utworzono').split(' '));

/** Days of something else than the device being seen or built. */
const OTHER_DAYS = new Set(('removal removed deleted deletion stop baixa retired retirement decommission '
  + 'decommissioned '
  + 'decommissioning dismantled end expiry expiration expires until valid next planned due permit approval approved '
  + 'contract order ordered warranty baja retiro fin fim remocao retirada depose retrait abbau ende einde fine '
  + 'rimozione '
  + 'demontazu').split(' '));

/** @type {ReadonlyMap<string, Use>} */
const BY_NAME = new Map(Object.entries(WHOLE).flatMap(
  ([use, names]) => names.split(' ').map((name) => [plain(name).join(''), /** @type {Use} */ (use)])));

/** @param {string} text */
function plain(text) {
  // Hangul is written in syllables, which NFKD takes apart.
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/ß/g, 'ss').replace(/ł/g, 'l')
    .replace(/ø/g, 'o').replace(/æ/g, 'ae').normalize('NFC').split(/[^\p{L}\p{N}@]+/u).filter(Boolean);
}

/**
 * The words of a column's name: without accents, in lower case.
 * @param {string} column
 */
export function wordsOf(column) {
  // NGSI writes {"name": {"type": "Text", "value": "A"}}; a number is a place in a list.
  const parts = column.startsWith('/') ? column.split('/').filter((part) => !/^(value|\d+)?$/.test(part)) : [column];
  const last = parts.at(-1) ?? column;
  return plain(last.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2'));
}

/**
 * Whether the whole name has the meaning.
 * @param {string} column @param {Use} use
 */
export const isNamed = (column, use) => BY_NAME.get(wordsOf(column).join('')) === use;

/** Codes of addresses are no ids. */
const POSTAL = /^(postal|postcode|zip|plz|cep|cap)$/;

/** @param {string} column @returns {Use} */
export function useByName(column) {
  // A unit in parentheses: «Height (ft)».
  const words = wordsOf(column.replace(/\s*\([^)]*\)$/, ''));
  if (words.some((word) => POSTAL.test(word))) return '';
  if (PERSONAL.test(words.join(''))) return 'drop';
  if (saysInUse(column) !== null) return 'status';
  const use = BY_NAME.get(words.join('')) ?? useByWords(words);
  const isDate = use === 'observed_on' || use === 'started_on';
  return isDate && words.some((word) => OF_THE_RECORD.has(word) || OTHER_DAYS.has(word)) ? '' : use;
}

/** Words for a day of any kind, and those that make it the day on which a device was seen, or put up. */
const DAY = /^(date|data|fecha|datum|timestamp|дата)$/;
const SEEN = new RegExp(`^(${[
  'last', 'latest', 'seen', '(observ|survey|check|inspect|verif|update|vist|visit|revis|control|audit|report)\\p{L}*',
  'maj', 'mise', 'jour', 'stand', '(aktualis|letzt|laatst|ultim|atualiz|actualiz|aggiorn|обнов|провер)\\p{L}*',
  'status', 'reading', 'record(ed)?', 'obs',
].join('|')})$`, 'u');
const STARTED = new RegExp(`^(${[
  'activation|activated|ativacao|activacion|aktivierung|attivazione|activering|live|alta|commission(ed|ing)?|deployed',
  'deployment|erected|built|construction|placed|plaatsing|geplaatst|colocacao|colocacion|montage|montazu|inicio|debut',
].join('|')})$`);

/**
 * Ends of names in scripts without spaces.
 * @type {readonly [RegExp, Use][]}
 */
const ENDS = [
  [/(狀態|状态|状態|現況)$/, 'status'], [/(類型|类型|種類|種別|型式)$/, 'category'], [/(編號|编号|番号|序號|序号)$/, 'id'],
  [/(名稱|名称|地點|地点|場所)$/, 'name'], [/(台数|台數|數量|数量)$/, 'units'],
];

/** @param {string[]} words @returns {Use} */
function useByWords(words) {
  if (words.some((word) => /^install?/.test(word))) return 'started_on';
  if (words.length > 1 && words.some((word) => DAY.test(word))) {
    if (words.some((word) => STARTED.test(word))) return 'started_on';
    if (!words.some((word) => SEEN.test(word))) return '';
  }
  const ending = ENDS.find(([end]) => end.test(words.join('')))?.[1];
  if (ending) return ending;
  // Words such as «camera» or «installation» say what the list is about, so the rest of the name decides.
  for (const word of [words.at(-1), words[0]]) {
    const use = word && word.length > 1 ? BY_NAME.get(word) : undefined;
    if (use) return use;
  }
  return '';
}
