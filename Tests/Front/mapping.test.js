import assert from 'node:assert/strict';
import test from 'node:test';

import { choicesOf, codeOf, lacks, mappingOf, noChoices, SKIP } from '../../public/js/mapping/choices.js';
import { guessCategory, guessCode, guessUses, pairColumn, wordsOf } from '../../public/js/mapping/guess.js';
import { baseOf, suggested, withCodes } from '../../public/js/mapping/list.js';
import { areNoDegrees, areSwapped, boxOf, countriesOf, placed, some } from '../../public/js/mapping/positions.js';
import { isAbout } from '../../public/js/mapping/kept.js';

const column = (name, kind = 'text', more = {}) => ({
  column: name, kind, date_formats: [], filled: 100, unique: false, samples: ['a'], values: [], numbers: [], ...more,
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

test('a column with both coordinates in one text is found', () => {
  assert.equal(pairColumn([column('a'), column('geo', 'text', { samples: ['38.7, -9.1', '(41.1 -8.6)'] })])?.column, 'geo');
  assert.equal(pairColumn([column('geo', 'text', { samples: ['POINT (-9.1 38.7)'] })])?.column, 'geo');
  assert.equal(pairColumn([column('a', 'text', { samples: ['38.7'] }), column('b', 'empty', { samples: [] })]), null);
});

test('positions are counted: usable, missing, out of range, and at zero', () => {
  const found = placed([1, null, 181, 0, 180, 10], [2, 3, 4, 0, 90, 90.1]);
  assert.deepEqual(found, { points: [[1, 2], [0, 0], [180, 90]], missing: 1, outside: 2, zero: 1 });
  assert.equal(areNoDegrees(found), false);
  assert.equal(areNoDegrees(placed([500_000, 500_001, 1], [4e6, 4e6, 2])), true);
  assert.equal(areNoDegrees(placed([], [])), false);
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
  assert.deepEqual(countriesOf(places), [{ name: 'Portugal', count: 2 }, { name: null, count: 1 }]);
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

test('choices make the mapping file that farol import reads', () => {
  assert.deepEqual(mappingOf(full()), {
    source: { code: 'my-list', name: 'My list', licence: 'CC0-1.0', attribution: 'Me' },
    input: { format: 'csv', separator: ';' },
    key: '{id}',
    skip: [{
      when: { column: 'what', equals: ['bench'] }, code: 'left_out', because: 'The mapping leaves out this category.',
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
    { match_within: 10 }, { fields: { ...mapping.fields, zone: 'town' } }, { extends: 'osm.json' },
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
  assert.equal(choices.formats.since, 'd/M/yyyy*');
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
