import assert from 'node:assert/strict';
import test from 'node:test';

import { choicesOf, codeOf, lacks, mappingOf, noChoices } from '../../public/js/mapping/choices.js';
import { guessCategory, guessCode, SKIP } from '../../public/js/mapping/codes.js';
import { guessUses } from '../../public/js/mapping/guess.js';
import { wordsOf } from '../../public/js/mapping/headers.js';
import { baseOf, pairsOf, suggested, withCodes } from '../../public/js/mapping/list.js';
import { guessOrder, guessSystem } from '../../public/js/mapping/place-guess.js';
import { areNoDegrees, areSwapped, boxOf, countriesOf, placed, some } from '../../public/js/mapping/positions.js';
import { isAbout } from '../../public/js/mapping/kept.js';

const column = (name, kind = 'text', more = {}) => ({
  column: name, kind, date_formats: [], filled: 100, unique: false, samples: ['a'], values: [], numbers: [], pairs: [],
  order: null, letter_o: false, ...more,
});
const degrees = (name, numbers = [38.7, 38.8]) => column(name, 'number', { numbers, samples: numbers.map(String) });
const values = (name, ...texts) => column(name, 'text', {
  samples: texts, values: texts.map((value) => ({ value, count: 3 })),
});
const vocabulary = { category: [], status: [], operator_kind: [] };
const guess = (columns, hasPositions = false) => guessUses(columns, { rows: 100, hasPositions, vocabulary });

test('the words of a column are found without accents, capitals and signs', () => {
  assert.deepEqual(wordsOf('Câmara_Tipo'), ['camara', 'tipo']);
  assert.deepEqual(wordsOf('installDate'), ['install', 'date']);
  assert.deepEqual(wordsOf('/osm/surveillance:type'), ['surveillance', 'type']);
  assert.deepEqual(wordsOf('\u{1F600}'), []);
});

for (const [latitude, longitude] of [
  ['lat', 'lon'], ['Latitude', 'Longitude'], ['Y', 'X'], ['GPS_LAT', 'GPS_LNG'], ['geo_lat', 'geo_lon'],
  ['Breitengrad', 'Längengrad'], ['coord_y', 'coord_x'], ['LATITUD', 'LONGITUD'], ['point_y', 'point_x'],
]) {
  test(`${latitude} and ${longitude} are coordinates`, () => {
    const uses = guess([column('Name'), degrees(longitude), degrees(latitude)]);
    assert.equal(uses[latitude], 'latitude');
    assert.equal(uses[longitude], 'longitude');
  });
}

test('columns without a telling name are coordinates by their values, the larger numbers the longitude', () => {
  const uses = guess([column('a'), degrees('b', [38.7, 41.1]), degrees('c', [-9.1, -8.6])]);
  assert.deepEqual([uses.b, uses.c], ['latitude', 'longitude']);
  const turned = guess([degrees('b', [-120.5, 100.5]), degrees('c', [38.7, 41.1])]);
  assert.deepEqual([turned.b, turned.c], ['longitude', 'latitude']);
  const whole = guess([degrees('b', [1, 2]), degrees('c', [3, 4])]);
  assert.deepEqual([whole.b, whole.c], ['', '']);
  const large = guess([degrees('b', [500_000.5]), degrees('c', [4_500_000.5])]);
  assert.deepEqual([large.b, large.c], ['', '']);
});

test('a format that provides positions needs no columns for them', () => {
  assert.deepEqual(guess([degrees('lat'), degrees('lon')], true), { lat: '', lon: '' });
});

test('other columns are guessed by name if their values allow it', () => {
  const uses = guess([
    column('OBJECTID', 'number', { unique: true }), column('Cam ID', 'text', { unique: true }), column('Bezeichnung'),
    values('Tipo de câmara', 'dome'), column('Entidade responsável'), values('Status', 'active', 'removed'),
    column('Install date', 'date', { date_formats: ['yyyy-MM-dd*'] }), column('direction', 'number'),
    column('Hersteller'), column('height_m', 'number'), column('Comments'), column('E-Mail'), column('Telefone'),
  ]);
  assert.deepEqual(Object.values(uses), [
    '', 'id', 'name', 'category', 'operator', 'status', 'started_on', 'bearings', 'manufacturer', 'height',
    'description', 'drop', 'drop',
  ]);
});

test('a name that its values contradict is no guess', () => {
  assert.equal(guess([column('id')]).id, '', 'not unique');
  assert.equal(guess([column('since', 'text', { samples: ['spring'] })]).since, '');
  assert.equal(guess([column('name', 'number')]).name, '');
  assert.equal(guess([column('type')]).type, '', 'too many values');
  assert.equal(guess([column('name', 'empty')]).name, '');
  assert.equal(guess([values('Type', 'Free', 'Limited Free')]).Type, '', 'no kind of device');
  assert.equal(guess([values('Status', 'Link Active!')]).Status, '', 'no known status');
});

test('a value that is a term of the vocabulary is known', () => {
  const terms = { ...vocabulary, category: [{ code: 'tracker', label: 'Localizador' }] };
  const uses = guessUses([values('Tipo', 'Localizador')], { rows: 100, hasPositions: true, vocabulary: terms });
  assert.equal(uses.Tipo, 'category');
  const others = { ...vocabulary, category: [{ code: 'other', label: 'Other' }] };
  const mounts = guessUses([values('mountType', 'pole', 'other')], { rows: 100, hasPositions: true, vocabulary: others });
  assert.equal(mounts.mountType, '');
});

test('rude column names are kept apart', () => {
  const uses = guess([degrees('__proto__'), column('constructor'), column('lat\u0000'), column('')]);
  assert.deepEqual(Object.keys(uses), ['__proto__', 'constructor', 'lat\u0000', '']);
});

for (const [value, code] of [
  ['Câmara fixa', 'camera_fixed'], ['PTZ dome', 'camera_ptz'], ['ANPR', 'alpr'], ['Red Light', 'traffic_enforcement'],
  ['WiFi Hotspot', 'wifi_hotspot'], ['people counter', 'occupancy'], ['traffic_camera', 'camera_fixed'],
  ['Bench', null], ['', null],
]) {
  test(`the value «${value}» means ${code}`, () => assert.equal(guessCode('category', value), code));
}

test('the label of a term decides before its words', () => {
  const terms = [{ code: 'webcam', label: 'Câmara na Internet' }];
  assert.equal(guessCode('category', 'camara na internet', terms), 'webcam');
  assert.equal(guessCode('category', 'webcam', terms), 'webcam');
});

test('the category of a whole list comes from the name of the file or its columns', () => {
  assert.equal(guessCategory('lisbon_cctv_2026.csv', []), 'camera_fixed');
  assert.equal(guessCategory('wlan-hotspots.csv', []), 'wifi_hotspot');
  assert.equal(guessCategory('webcams_2026.json', []), 'webcam');
  assert.equal(guessCategory('export.csv', [column('SSID'), column('wifi')]), 'wifi_hotspot');
  assert.equal(guessCategory('export.csv', [column('a')]), null);
});

const pairs = (name, order = null, ...numbers) => column(name, 'position', { pairs: numbers, order });
const metres = (name, ...numbers) => column(name, 'number', { numbers, samples: numbers.map(String) });

test('the pair of columns in degrees wins, not the first exact name', () => {
  const uses = guess([metres('X', 314_412.1), metres('Y', 4_834_211.2), degrees('Latitude', [43.6491]),
    degrees('Longitude', [-79.3778])]);
  assert.deepEqual(uses, { X: '', Y: '', Latitude: 'latitude', Longitude: 'longitude' });
  const beside = guess([degrees('lat_site'), degrees('lon_site'), column('lat', 'empty'), column('lon', 'empty')]);
  assert.deepEqual([beside.lat_site, beside.lon_site], ['latitude', 'longitude']);
  const stems = guess([metres('X_L93', 652_000), degrees('X_WGS84', [2.3]), metres('Y_L93', 6_862_000),
    degrees('Y_WGS84', [48.8])]);
  assert.deepEqual([stems.X_WGS84, stems.Y_WGS84, stems.X_L93], ['longitude', 'latitude', '']);
});

test('a column of positions is the position, unless two columns have degrees', () => {
  assert.equal(guess([column('a'), pairs('geo_point_2d', null, [38.7, -9.1])]).geo_point_2d, 'position');
  const both = guess([pairs('geo', null, [38.7, -9.1]), degrees('lat'), degrees('lon', [-9.1, -9.2])]);
  assert.deepEqual(both, { geo: '', lat: 'latitude', lon: 'longitude' });
  const projected = guess([pairs('geo', null, [38.7, -9.1]), metres('x', 5e5), metres('y', 4e6)]);
  assert.deepEqual(projected, { geo: 'position', x: '', y: '' });
  const two = guess([pairs('address', null, [1.5, 2.5]), pairs('Location', null, [1.5, 2.5])]);
  assert.deepEqual(two, { address: '', Location: 'position' });
});

test('the order of a position is that of its notation, of its numbers, or of its name', () => {
  assert.equal(guessOrder(pairs('a', 'longitude_latitude', [1, 2])), null);
  assert.equal(guessOrder(pairs('a', null, [120, 2])), 'longitude_latitude');
  assert.equal(guessOrder(pairs('a', null, [2, 120])), 'latitude_longitude');
  assert.equal(guessOrder(pairs('lonlat', null, [2, 1])), 'longitude_latitude');
  assert.equal(guessOrder(pairs('/geometry/coordinates', null, [2, 1])), 'longitude_latitude');
  assert.equal(guessOrder(pairs('coordinates', null, [2, 1])), 'latitude_longitude');
});

test('the numbers of a position are turned into longitude and latitude', () => {
  const found = (order, given) => pairsOf(list([pairs('geo', order, [38.7, -9.1], null)], { sample: [1, 2] }), {
    ...noChoices(), uses: { geo: 'position' }, orders: given ? { geo: given } : {},
  })?.pairs;
  assert.deepEqual(found(null), [[-9.1, 38.7], null]);
  assert.deepEqual(found(null, 'longitude_latitude'), [[38.7, -9.1], null]);
  assert.deepEqual(found('longitude_latitude'), [[38.7, -9.1], null]);
  assert.deepEqual(found('longitude_latitude', 'latitude_longitude'), [[-9.1, 38.7], null]);
});

for (const [names, numbers, code] of [
  [['E', 'N'], [2_600_000, 1_200_000], 'EPSG:2056'], [['Rechtswert', 'Hochwert'], [3_456_789, 5_432_109], 'EPSG:31467'],
  [['x', 'y'], [691_603, 5_334_760], ''], [['x_25832', 'y_25832'], [691_603, 5_334_760], 'EPSG:25832'],
  [['x', 'y'], [652_000, 6_862_000], ''], [['X_L93', 'Y_L93'], [652_000, 6_862_000], 'EPSG:2154'],
  [['x', 'y'], [-1_017_000, 4_680_000], 'EPSG:3857'], [['x', 'y'], [1e9, 1e9], ''], [['x', 'y'], [-8_000, -2_600], ''],
]) {
  test(`${names.join(', ')} ${numbers.join(', ')} are in ${code || 'a system that must be chosen'}`, () => {
    assert.equal(guessSystem([numbers, null], names), code);
  });
}

test('a list gets the coordinate system and the order that leave no doubt', () => {
  const swiss = suggested(list([metres('E', 2_600_000), metres('N', 1_200_000)], { sample: [1] }), vocabulary, {});
  assert.deepEqual([swiss.uses.E, swiss.uses.N, swiss.input.crs], ['longitude', 'latitude', 'EPSG:2056']);
  const plain = suggested(list([pairs('geo', null, [38.7, -9.1])], { sample: [1] }), vocabulary, {});
  assert.deepEqual([plain.orders.geo, plain.input.crs], ['latitude_longitude', undefined]);
  assert.deepEqual(mappingOf(plain).fields.position, { from: 'geo', order: 'latitude_longitude' });
});

test('headers in other scripts have a meaning', () => {
  const uses = guess([degrees('Широта'), degrees('Долгота', [37.6, 37.7]), column('Название'), column('владелец')]);
  assert.deepEqual(Object.values(uses), ['latitude', 'longitude', 'name', 'operator']);
  const chinese = guess([degrees('纬度'), degrees('经度', [116.4, 116.5]), column('名称')]);
  assert.deepEqual(Object.values(chinese), ['latitude', 'longitude', 'name']);
});

test('one known value among many unknown ones is no kind of device', () => {
  const type = column('Type', 'text', { values: [{ value: 'Free', count: 600 }, { value: 'WiFi', count: 193 }] });
  assert.equal(guess([type]).Type, '');
  const most = column('Type', 'text', { values: [{ value: 'Dome', count: 600 }, { value: 'Bench', count: 193 }] });
  assert.equal(guess([most]).Type, 'category');
});

test('general words mean the kind of the whole list', () => {
  assert.equal(guessCode('category', 'fixed', [], 'traffic_enforcement'), 'traffic_enforcement');
  assert.equal(guessCode('category', 'red light', [], 'webcam'), 'traffic_enforcement');
  assert.equal(guessCode('category', 'fixed'), 'camera_fixed');
  const radars = suggested(list([values('type', 'fixed', 'mobile camera')], { file: 'speed_cameras.csv' }), vocabulary, {});
  assert.deepEqual(radars.values.category, { fixed: 'traffic_enforcement', 'mobile camera': 'mobile_camera' });
});

test('rows that are void or only wished for are left out', () => {
  const found = suggested(list([values('Status', 'ACTIVE', 'VOID', 'DESIRED')]), vocabulary, {});
  assert.deepEqual(found.values.status, { ACTIVE: 'reported', VOID: SKIP, DESIRED: SKIP });
  assert.deepEqual(mappingOf(found).skip[0].when, { column: 'Status', equals: ['VOID', 'DESIRED'] });
});

test('when a record was written is no date of the device', () => {
  const date = (name) => guess([column(name, 'date')])[name];
  for (const name of ['dateCreated', 'created_date', 'data_criacao', 'EditDate', 'erstellt_datum']) {
    assert.equal(date(name), '', name);
  }
  assert.equal(date('date'), 'observed_on');
});

test('the day of the end of a device, of a permit or of an order is no date of the device', () => {
  const date = (name) => guess([column(name, 'date')])[name];
  for (const name of ['removal date', 'DateRemoved', 'deleted_at', 'end_date', 'expiry date', 'permit date',
    'approval_date', 'next inspection date', 'fecha de baja', 'date de fin']) assert.equal(date(name), '', name);
  assert.equal(date('last inspection date'), 'observed_on');
});

test('days and months in doubt are decided by a person', () => {
  const formats = (...all) => suggested(list([column('seen', 'date', { date_formats: all })]), vocabulary, {}).formats.seen;
  assert.equal(formats('d/M/yyyy*', 'M/d/yyyy*'), '');
  assert.equal(formats('d/M/yyyy*'), 'd/M/yyyy*');
  assert.equal(formats('d.M.yyyy*'), 'd.M.yyyy*');
});

test('hours, sizes, serial numbers and versions are no positions', () => {
  const used = (name, samples, ...numbers) => guess([column(name, 'position', { samples, pairs: numbers })])[name];
  assert.equal(used('Hours', ['08.00-17.00', '09.30-18.00'], [8, -17]), '');
  assert.equal(used('Lens (mm)', ['3.6, 12.5', '2.8, 6.0'], [3.6, 12.5]), '');
  assert.equal(used('ID', ['SN1001', 'SN1002'], [-4.7, 51.7]), '');
  assert.equal(used('Serial', ['TQ12345678', 'SU12345678'], [-0.4, 51.3]), '');
  assert.equal(used('Unit', ['A123456', 'B123456'], [-8, 54]), '');
  assert.equal(used('Grid Ref', ['O 15904 34671'], [-6.3, 53.3]), 'position');
  assert.equal(used('a', ['38.7223, -9.1393'], [38.7, -9.1]), 'position');
  assert.equal(used('a', ['POINT (4.1 52.1)'], [4.1, 52.1]), 'position');
  assert.equal(used('a', ['52.1 N 4.1 E'], [52.1, 4.1]), 'position');
  assert.equal(used('a', ['29S 487000 4289000'], [-9.1, 38.7]), 'position');
});

test('geohashes and degrees with minutes are written into the mapping', () => {
  const hashes = suggested(list([pairs('geohash', 'longitude_latitude', [4.9, 52.3])], { sample: [1] }), vocabulary, {});
  assert.deepEqual(mappingOf(hashes).fields.position, { from: 'geohash', written_as: 'geohash' });
  const half = (name, letter) => column(name, 'hemisphere', { samples: [letter], numbers: [letter === 'N' ? 1 : -1] });
  const nmea = suggested(list([metres('Lat', 5222.386), half('NS', 'N'), metres('Lon', 453.556), half('EW', 'W')],
    { sample: [1] }), vocabulary, {});
  assert.deepEqual(mappingOf(nmea).fields.latitude, { template: '{Lat} {NS}', written_as: 'degrees_minutes' });
  assert.equal(nmea.input.crs, undefined);
  const [[longitude, latitude]] = pairsOf(list([metres('Lat', 5222.386), half('NS', 'N'), metres('Lon', 453.556),
    half('EW', 'W')], { sample: [1] }), nmea).pairs;
  assert.deepEqual([longitude.toFixed(5), latitude.toFixed(5)], ['-4.89260', '52.37310']);
  assert.deepEqual(choicesOf(mappingOf(nmea))?.forms, { Lat: 'degrees_minutes', Lon: 'degrees_minutes' });
});

test('a few numbers without their point do not make degrees metres', () => {
  const mixed = list([metres('lat', 38.7223, 387_323, 38.7423), metres('lon', -9.1393, -9.1493, -91_493)],
    { sample: [1, 2, 3] });
  assert.equal(suggested(mixed, vocabulary, {}).input.crs, undefined);
});

test('a column with yes and no says whether there is a device', () => {
  const found = suggested(list([values('cctv', 'Yes', 'No', 'Unknown')]), vocabulary, {});
  assert.equal(found.uses.cctv, 'category');
  assert.deepEqual(found.values.category, { Yes: 'camera_fixed', No: SKIP, Unknown: '' });
  assert.deepEqual(mappingOf(found).skip[0].when, { column: 'cctv', equals: ['No'] });
  assert.equal(guess([values('cctv', 'Yes', 'No'), values('type', 'dome', 'ptz')]).cctv, '');
});

test('numbers of several kinds of devices are not that of all', () => {
  const uses = guess([metres('Fixed cameras', 2, 1), metres('ANPR cameras', 3, 0)]);
  assert.deepEqual(Object.values(uses), ['', '']);
  assert.equal(guess([metres('number of cameras', 2, 1)])['number of cameras'], 'units');
});

test('columns of a second table are not used', () => {
  const uses = guess([degrees('lat'), degrees('lon'), column('Code'), degrees('lat (2)'), degrees('lon (2)'),
    column('Code (2)', 'text', { unique: true })]);
  assert.deepEqual([uses.lat, uses['lat (2)'], uses['Code (2)']], ['latitude', '', '']);
  assert.equal(guess([column('Code (2)', 'text', { unique: true })])['Code (2)'], 'id');
});

test('a measurement is known by the id of its sensor, not by its own', () => {
  const uses = guess([column('id', 'number', { unique: true }), column('/sensor/id', 'number')]);
  assert.deepEqual(uses, { id: '', '/sensor/id': 'id' });
});

for (const [status, texts] of [
  ['reported', 'To be removed|Not removed|Removal planned|Live|Em operação|使用中|Действующий|نشط|सक्रिय|ใช้งาน|Ativo a partir de 2020'],
  ['removed', 'Retirado da via|Removida a pedido|Deleted|已拆除|撤去済|철거|Демонтирован|Kaldırıldı'],
  ['skip', 'To be installed|Not yet installed|Pending installation|Non-operational|Nicht in Betrieb|No activo|Non attivo'
    + '|未設置|規劃中|停用|Не работает|غير نشط|निष्क्रिय|ไม่ใช้งาน|Εκτός λειτουργίας'],
  ['not_a_device', 'Dummy|Fake camera|Attrappe'],
]) {
  for (const text of texts.split('|')) {
    test(`the status ${text} is ${status}`, () => assert.equal(guessCode('status', text), status));
  }
}

test('milliseconds since 1970 are dates', () => {
  const found = suggested(list([metres('last_update', 1_609_459_200_000)]), vocabulary, {});
  assert.equal(mappingOf(found).fields.observed_on.formats[0], 'unix_ms');
});

test('where a road leads to is no direction of view', () => {
  const direction = (...samples) => guess([column('direction', 'text', { samples })]).direction;
  assert.equal(direction('vers Paris', 'Direction Lyon', 'sens unique'), '');
  for (const samples of [['N', 'SW'], ['90', '180'], ['north', 'south-east'], ['N-E'], ['90;270']]) {
    assert.equal(direction(...samples), 'bearings', samples.join());
  }
});

test('positions are counted: usable, missing, out of range, and at zero', () => {
  const found = placed([[1, 2], null, [181, 4], [0, 0], [180, 90], [10, 90.1]]);
  assert.deepEqual(found, { points: [[1, 2], [0, 0], [180, 90]], missing: 1, outside: 2, zero: 1 });
  assert.equal(areNoDegrees(found), false);
  assert.equal(areNoDegrees(placed([[500_000, 4e6], [500_001, 4e6], [1, 2]])), true);
  assert.equal(areNoDegrees(placed([])), false);
  assert.deepEqual(boxOf([[1, 2], [-3, 5]]), [-3, 2, 1, 5]);
  assert.equal(boxOf([]), null);
});

test('some positions are spread over all', () => {
  const points = Array.from({ length: 100 }, (_, row) => /** @type {[number, number]} */ ([row, 0]));
  assert.deepEqual(some(points, 4).map(([row]) => row), [0, 25, 50, 75]);
  assert.equal(some(points.slice(0, 3), 4).length, 3);
  assert.deepEqual(some([], 4), []);
});

const evidence = (more) => ({ usable: 100, nowhere: 0, asked: 20, devices: 0, ...more });
test('coordinates are swapped if only the swapped ones are degrees, on land, or among known devices', () => {
  assert.equal(areSwapped(evidence({ usable: 20 }), evidence({})), true);
  assert.equal(areSwapped(evidence({}), evidence({ usable: 20 })), false);
  assert.equal(areSwapped(evidence({ usable: 0, asked: 0 }), evidence({})), true);
  assert.equal(areSwapped(evidence({ nowhere: 8 }), evidence({})), true);
  assert.equal(areSwapped(evidence({ nowhere: 7 }), evidence({})), false);
  assert.equal(areSwapped(evidence({}), evidence({ devices: 9 })), true);
  assert.equal(areSwapped(evidence({ devices: 1 }), evidence({ devices: 9 })), false);
  assert.equal(areSwapped(evidence({}), evidence({ nowhere: 8, devices: 9 })), false);
  assert.equal(areSwapped(evidence({}), evidence({})), false);
});

test('countries are counted, most first', () => {
  const places = [{ country: 'PT', country_name: 'Portugal' }, null, { country: 'PT', country_name: 'Portugal' }];
  assert.deepEqual(countriesOf(places), [
    { code: 'PT', name: 'Portugal', count: 2 }, { code: null, name: null, count: 1 },
  ]);
});

/** Choices of every kind. */
function full() {
  return {
    ...noChoices(),
    uses: {
      id: 'id', what: 'category', lat: 'latitude', lon: 'longitude', title: 'name', alias: 'name', owner: 'operator',
      ownertype: 'operator_kind', since: 'started_on', h: 'height', mail: 'drop', other: '',
    },
    values: { category: { dome: 'camera_ptz', bench: SKIP, odd: '' }, operator_kind: { city: 'public' } },
    category: 'camera_fixed', operatorKind: 'company', formats: { since: 'd/M/yyyy*' }, commas: { lat: true, lon: true },
    unit: 'ft', input: { format: 'csv', separator: ';' },
    source: { code: 'my-list', name: 'My list', licence: 'CC0-1.0', attribution: 'Me', url: '' },
  };
}

test('choices about places and ids are read back', () => {
  const choices = {
    ...full(), uses: { geo: /** @type {const} */ ('position') }, orders: { geo: 'longitude_latitude' },
    letterO: /** @type {const} */ ('east'), matchWithin: 25, country: 'PT', input: { crs: 'EPSG:3763' },
    values: {}, category: 'webcam',
  };
  const mapping = JSON.parse(JSON.stringify(mappingOf(choices)));
  assert.deepEqual(mapping.fields.position, { from: 'geo', order: 'longitude_latitude', letter_o: 'east' });
  assert.deepEqual([mapping.match_within, mapping.input.crs, mapping.flag[0].when], [25, 'EPSG:3763', {
    other_country: 'PT',
  }]);
  assert.deepEqual(mappingOf(/** @type {any} */ (choicesOf(mapping))), mapping);
});

test('choices make the mapping file that farol import reads', () => {
  assert.deepEqual(mappingOf(full()), {
    source: { code: 'my-list', name: 'My list', licence: 'CC0-1.0', attribution: 'Me' },
    input: { format: 'csv', separator: ';' },
    key: '{id}',
    skip: [{
      when: { column: 'what', equals: ['bench'] }, code: 'left_out', because: 'The mapping leaves out this value.',
    }],
    fields: {
      category: [{ from: 'what', values: { dome: 'camera_ptz' }, otherwise: 'drop' }, { value: 'camera_fixed' }],
      name: [{ from: ['title', 'alias'] }, { template: '{:category_name} {id}' }],
      latitude: { from: 'lat', decimal: ',' }, longitude: { from: 'lon', decimal: ',' },
      operator: { from: 'owner' },
      operator_kind: [{ from: 'ownertype', values: { city: 'public' } }, { value: 'company' }],
      started_on: { from: 'since', formats: ['d/M/yyyy*'] }, height: { from: 'h', unit: 'ft' },
    },
    drop: ['mail'],
  });
});

test('a list without names or ids still has names', () => {
  assert.deepEqual(mappingOf({ ...noChoices(), category: 'webcam' }).fields, {
    category: { value: 'webcam' }, name: { template: '{:category_name}' },
  });
});

test('a column that a template cannot name is no key', () => {
  assert.equal(mappingOf({ ...noChoices(), uses: { 'a}b': 'id' } }).key, undefined);
});

test('an element of OpenStreetMap has its type in its key', () => {
  assert.equal(mappingOf({ ...noChoices(), uses: { '@type': '', '@id': 'id' } }).key, '{@type}/{@id}');
});

test('a mapping file of the page is read back to the same choices', () => {
  const mapping = JSON.parse(JSON.stringify(mappingOf(full())));
  const choices = choicesOf(mapping);
  assert.ok(choices);
  assert.deepEqual(mappingOf(choices), mapping);
  assert.equal(choices.uses.mail, 'drop');
  assert.equal(choices.values.category.bench, SKIP);
});

test('a mapping file with other rules is not changed by the page', () => {
  const mapping = mappingOf(full());
  for (const more of [
    { fields: { ...mapping.fields, zone: 'town' } }, { extends: 'osm.json' },
    { fields: { ...mapping.fields, name: { template: 'x' } } }, { fields: undefined }, { skip: [{ when: {} }] },
  ]) assert.equal(choicesOf({ ...mapping, ...more }), null, JSON.stringify(more));
  for (const wrong of [null, 1, [], 'x', {}]) assert.equal(choicesOf(wrong), null);
});

test('the page names what is missing', () => {
  const missing = (choices, hasPositions = false) => lacks(choices, hasPositions).map(({ control }) => control);
  assert.deepEqual(missing(noChoices()), ['columns', 'category', 'name', 'code', 'licence', 'attribution']);
  assert.deepEqual(missing(full()), []);
  assert.deepEqual(missing({ ...full(), uses: { lat: 'latitude' } }), ['columns']);
  assert.deepEqual(missing({ ...full(), uses: {} }), ['columns']);
  assert.deepEqual(missing({ ...full(), uses: {} }, true), []);
  assert.deepEqual(missing({ ...full(), category: '', values: { category: { bench: SKIP } } }), ['category']);
  assert.deepEqual(missing({ ...full(), category: '' }), []);
});

test('a code has only the letters of one', () => {
  assert.equal(codeOf('Câmaras de Lisboa (2026)'), 'camaras-de-lisboa-2026');
  assert.equal(codeOf('x'.repeat(59) + ' y'), 'x'.repeat(59));
  assert.equal(codeOf('日本'), '');
});

const list = (columns, more = {}) => ({
  file: 'cctv_lisboa.csv.gz', problem: null, choices: [], format: 'csv', packed: false, encoding: 'windows-1252',
  encoding_guessed: false, encoding_samples: [], encodings: ['utf-8'], header_row: 1, incomplete: null,
  separator: ';', double_encoded: true, rows: 100, unreadable: 0, complete: true, fault: null, columns,
  more_columns: false, sample: [], positions: [null], ...more,
});

test('a list gets its first choices', () => {
  const choices = suggested(list([
    column('Lat', 'decimal_comma', { numbers: [38.7] }), column('Lon', 'decimal_comma', { numbers: [-9.1] }),
    values('Tipo', 'dome', 'bench'), column('since', 'date', { date_formats: ['d/M/yyyy*', 'M/d/yyyy*'] }),
  ]), vocabulary, { separator: ';' });
  assert.deepEqual(choices.input, {
    separator: ';', format: 'csv', encoding: 'windows-1252', repair: 'double_encoded',
  });
  assert.deepEqual(choices.commas, { Lat: true, Lon: true });
  assert.deepEqual(choices.values.category, { dome: 'camera_ptz', bench: '' });
  assert.equal(choices.category, '');
  assert.equal(choices.formats.since, '');
  assert.deepEqual(choices.source, {
    code: 'cctv-lisboa', name: 'Cctv lisboa', licence: '', attribution: 'Cctv lisboa', url: '',
  });
});

test('a list of OpenStreetMap gets the rules and the licence of OpenStreetMap', () => {
  const choices = suggested(list([column('man_made')], { format: 'osm-json' }), vocabulary, {});
  assert.equal(choices.base, 'osm.json');
  assert.deepEqual(lacks(choices, true), []);
  const mapping = mappingOf(choices);
  assert.deepEqual(Object.keys(mapping).sort(), ['extends', 'input', 'source']);
  assert.equal(mapping.source.licence, 'ODbL-1.0');
  assert.deepEqual(mappingOf(/** @type {any} */ (choicesOf(JSON.parse(JSON.stringify(mapping))))), mapping);
  assert.equal(choicesOf({ ...mapping, extends: 'us-alpr.json' }), null);
  assert.equal(choicesOf({ ...mapping, key: '{@id}' }), null);
});

test('an export of Farol gets the rules for exports, and needs no source', () => {
  const names = ['precision', 'licence', 'data_collected', 'legal_basis', 'created_at'];
  for (const id of ['id', '@id']) {
    const found = list([id, ...names].map((name) => column(name)), { format: 'geojson' });
    const choices = suggested(found, vocabulary, { layer: 'devices' });
    assert.equal(choices.base, 'farol.json');
    assert.deepEqual(lacks(choices, false), []);
    const mapping = mappingOf(choices);
    assert.deepEqual(Object.keys(mapping).sort(), ['extends', 'input']);
    assert.deepEqual(mappingOf(/** @type {any} */ (choicesOf(JSON.parse(JSON.stringify(mapping))))), mapping);
    // A contributor states the source, and cannot bring ids.
    assert.equal(suggested(found, vocabulary, {}, false).base, '');
  }
  assert.equal(baseOf(list(names.map((name) => column(name)))), null);
  assert.equal(baseOf(list(['id', ...names.slice(1)].map((name) => column(name)))), null);
});

test('a list without a column for the kind gets one kind', () => {
  assert.equal(suggested(list([column('a')]), vocabulary, {}).category, 'camera_fixed');
});

test('choices of values that a person has made are not guessed again', () => {
  const choices = { ...noChoices(), uses: { kind: /** @type {const} */ ('category') }, values: { category: { dome: '' } } };
  withCodes(choices, values('kind', 'dome'), vocabulary);
  assert.deepEqual(choices.values.category, { dome: '' });
});

test('kept choices belong to a list with the same columns', () => {
  const kept = { file: 'a.csv', columns: ['a', 'b'], choices: noChoices() };
  assert.equal(isAbout(kept, ['a', 'b']), true);
  assert.equal(isAbout(kept, ['a']), false);
  assert.equal(isAbout(kept, ['b', 'a']), false);
  assert.equal(isAbout(null, []), false);
});

for (const [name, off, on] of [
  ['active', 'false', 'true'], ['In service', 'N', 'Y'], ['ativo', 'Não', 'Sim'], ['is_enabled', '0', '1'],
  ['out_of_service', 'yes', 'no'], ['inaktiv', 'ja', 'nein'],
]) {
  test(`rows of devices that are not in use are left out: ${name} = ${off}`, () => {
    const list = {
      file: 'a.csv', format: 'csv', columns: [degrees('lat'), degrees('lon', [6.1, 6.2]), values(name, on, off)],
      rows: 100, positions: [], sample: [], header_row: 1, encoding: 'utf-8',
    };
    const choices = suggested(list, vocabulary, {});
    assert.equal(choices.uses[name], 'status');
    assert.deepEqual(choices.values.status, { [on]: 'reported', [off]: SKIP });
  });
}

test('a number of devices in use is no state', () => {
  assert.notEqual(guess([values('active cameras', '0', '3')])['active cameras'], 'status');
});

for (const value of ['Inactive', 'Out of service', 'fora de serviço', 'Außer Betrieb', 'hors service', 'disabled']) {
  test(`the state «${value}» leaves the row out`, () => assert.equal(guessCode('status', value), SKIP));
}

for (const value of ['Active', 'in service', 'operational', 'aktiv', 'Em funcionamento', 'Installed']) {
  test(`the state «${value}» is that of a device`, () => assert.equal(guessCode('status', value), 'reported'));
}

test('coordinates in JSON are those of GeoJSON, and others begin with the latitude', () => {
  const pairs = column('coordinates', 'position', { pairs: [[6.1, 46.2]] });
  assert.equal(guessOrder(pairs, 'json'), 'longitude_latitude');
  assert.equal(guessOrder(pairs, 'csv'), 'latitude_longitude');
});
