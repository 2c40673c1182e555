import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countOf, during, emptyDiary, exceeded, lastsUntil, momentsOf, periodsOf, placesOf, remembered, startOf, withPasses,
} from '../../public/js/diary/diary.js';
import { readFile, written, writtenLocked } from '../../public/js/diary/diary-file.js';
import { FileFault } from '../../public/js/diary/faults.js';
import { lock, newKey, unlock } from '../../public/js/diary/lock.js';
import { localDays, passesOf } from '../../public/js/diary/passes.js';
import { Points } from '../../public/js/diary/points.js';
import { TrackReader } from '../../public/js/diary/read.js';
import { SensorIndex } from '../../public/js/exposure/model.js';
import { readSensor } from '../../public/js/exposure/sensor.js';
import { destination } from '../../public/js/geography.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const MORNING = Date.parse('2026-11-23T08:00:00Z');
const PLACE = [6.1432, 46.2044];
const iso = (time) => new Date(time).toISOString();
const utcDay = (time) => iso(time).slice(0, 10);

/** Reads a text in parts of a length, so that each place is once the end of a part. */
function read(text, length = text.length) {
  const reader = new TrackReader(NOW);
  for (let i = 0; i < text.length; i += length) reader.push(text.slice(i, i + length));
  return reader.end();
}
const fault = (text, length) => {
  try {
    read(text, length);
    return null;
  } catch (error) {
    assert.ok(error instanceof FileFault, String(error));
    return error.code;
  }
};
const listed = ({ points }) => Array.from({ length: points.count }, (_, i) => (
  [points.longitudes[i], points.latitudes[i], iso(points.times[i])]));

const gpx = (inside) => `<?xml version="1.0"?>\n<!-- made > by hand -->\n<gpx version="1.1" creator="me > you"
  xmlns="http://www.topografix.com/GPX/1/1"><metadata><time>2020-01-01T00:00:00Z</time></metadata>${inside}</gpx>\n`;
const trkpt = (longitude, latitude, time) => `<trkpt lat="${latitude}" lon='${longitude}'><ele>4</ele>${
  time ? `<time>${time}</time>` : ''}<name><![CDATA[a <trkpt lat="1" lon="1"> in words]]></name></trkpt>`;
const WALK = [[6.14, 46.2, iso(MORNING)], [6.141, 46.2005, iso(MORNING + 60_000)], [6.142, 46.201, iso(MORNING + 120_000)]];
const walk = (points = WALK) => gpx(`<trk><trkseg>${points.map((one) => trkpt(...one)).join('\n')}</trkseg></trk>`);

// Formats

test('a tag with thousands of brackets takes as long as another of its length', () => {
  const start = performance.now();
  assert.equal(fault(gpx(`<rte><rtept lat="${'>'.repeat(50_000)}"/></rte>`)), 'nowhere');
  assert.ok(performance.now() - start < 2_000, 'one pass');
});

test('GPX is read, however the file is cut into parts', () => {
  for (const length of [1, 2, 3, 7, 64, 10_000]) assert.deepEqual(listed(read(walk(), length)), WALK, String(length));
  const route = gpx(`<wpt lat="1" lon="1"><time>2026-01-01T00:00:00Z</time></wpt><g:rte xmlns:g="x">${
    trkpt(...WALK[0]).replaceAll('trkpt', 'g:rtept')}</g:rte>`);
  assert.deepEqual(listed(read(route)), [WALK[0]]);
  assert.equal(read(`\uFEFF  ${walk()}`).format, 'gpx');
});

test('GeoJSON is read: lines with times, nested times, points, and a file that is one feature', () => {
  const coordinates = WALK.map(([x, y]) => [x, y]);
  const times = WALK.map(([, , time]) => time);
  const feature = (geometry, properties) => ({ type: 'Feature', geometry, properties });
  const line = { type: 'LineString', coordinates };
  const files = [
    { type: 'FeatureCollection', features: [feature(line, { coordTimes: times })] },
    { type: 'FeatureCollection', features: [feature(line, { coordinateProperties: { times } })] },
    { type: 'FeatureCollection', name: 'x', features: [feature({ type: 'MultiLineString', coordinates: [coordinates.slice(0, 2), coordinates.slice(2)] },
      { coordTimes: [times.slice(0, 2), times.slice(2)] })] },
    { type: 'FeatureCollection', features: WALK.map(([x, y, time]) => feature({ type: 'Point', coordinates: [x, y] }, { timestamp: time })) },
    { type: 'FeatureCollection', features: [feature({ type: 'LineString', coordinates: WALK.map(([x, y, time]) => [x, y, 0, Date.parse(time) / 1_000]) }, null)] },
    feature(line, { times: times.map(Date.parse) }),
  ];
  for (const file of files) {
    for (const length of [1, 5, 100_000]) {
      const found = read(JSON.stringify(file, null, 1), length);
      assert.equal(found.format, 'geojson');
      assert.deepEqual(listed(found), WALK, JSON.stringify(file));
    }
  }
});

test('the exports of Google are read: records, semantic history, and both timelines of phones', () => {
  const e7 = (degrees) => Math.round(degrees * 1e7);
  const place = ([x, y]) => ({ latitudeE7: e7(y), longitudeE7: e7(x) });
  const android = ([x, y]) => `${y}°, ${x}°`;
  const apple = ([x, y]) => `geo:${y},${x}`;
  const [from, , to] = WALK.map(([, , time]) => time);
  const files = {
    records: { locations: WALK.map((one, i) => ({ ...place(one), accuracy: 20, ...(i === 1 ? { timestampMs: String(Date.parse(one[2])) } : { timestamp: one[2] }) })) },
    semantic: { timelineObjects: [{ activitySegment: {
      startLocation: place(WALK[0]), endLocation: place(WALK[2]), duration: { startTimestamp: from, endTimestamp: to },
      waypointPath: { waypoints: [{ latE7: e7(WALK[1][1]), lngE7: e7(WALK[1][0]) }] } } }] },
    android: { semanticSegments: [
      { startTime: from, endTime: to, timelinePath: WALK.map((one) => ({ point: android(one), time: one[2] })) },
      { startTime: from, endTime: to, activity: { start: { latLng: android(WALK[0]) }, end: { latLng: android(WALK[2]) } } },
    ], rawSignals: [{ position: { LatLng: android(WALK[1]), accuracyMeters: 10, timestamp: WALK[1][2] } }, { wifiScan: {} }],
    userLocationProfile: { frequentPlaces: [{ placeId: 'x' }] } },
    apple: [
      { startTime: from, endTime: to, timelinePath: WALK.map((one, i) => ({ point: apple(one), durationMinutesOffsetFromStartTime: String(i) })) },
      { startTime: from, endTime: from, visit: { topCandidate: { placeLocation: apple(WALK[0]) } } },
    ],
  };
  for (const [name, file] of Object.entries(files)) {
    for (const length of [1, 11, 100_000]) {
      const found = read(JSON.stringify(file), length);
      assert.equal(found.format, 'google', name);
      const seen = [...new Map(listed(found).map((one) => [one[2], one])).values()];
      assert.deepEqual(seen, WALK, name);
      assert.deepEqual(found.points.pieces().length, 1, name);
    }
  }
});

test('a visit is a stay from its beginning to its end', () => {
  const { points } = read(JSON.stringify({ timelineObjects: [{ placeVisit: {
    location: { latitudeE7: 462_044_000, longitudeE7: 61_432_000 },
    duration: { startTimestamp: iso(MORNING), endTimestamp: iso(MORNING + 3_600_000) } } }] }));
  assert.deepEqual(points.pieces(), [[0, 2]]);
});

// Bad files

test('each bad file has one reason', () => {
  assert.equal(fault(''), 'empty');
  assert.equal(fault('   \n'), 'empty');
  assert.equal(fault('%PDF-1.7'), 'type');
  assert.equal(fault('<html><body></body></html>'), 'type');
  assert.equal(fault('<kml xmlns="x"></kml>'), 'type');
  assert.equal(fault('{"hello": [1, 2]}'), 'type');
  assert.equal(fault('[1, 2, 3]'), 'type');
  assert.equal(fault('[{"a": 1}]'), 'type');
  assert.equal(fault('"text"'), 'type');
  assert.equal(fault('{"type": "FeatureCollection", "features": []}'), 'empty');
  assert.equal(fault(gpx('<trk></trk>')), 'empty');
  assert.equal(fault(gpx('<trk></trkseg>')), 'damaged');
  assert.equal(fault(gpx('<trk>< ></trk>')), 'damaged');
  assert.equal(fault(`${walk()}<gpx/>`), 'damaged');
  assert.equal(fault('{"features": [{"type": "Feature", oops}]}'), 'damaged');
  assert.equal(fault('{"features": []}]'), 'damaged');
  assert.equal(fault('{"features": ['), 'broken_off');
  assert.equal(fault('<gpx><trk>'), 'broken_off');
  assert.equal(fault(walk([[6.14, 46.2], [6.15, 46.2]])), 'timeless');
  assert.equal(fault(walk([[6.14, 96.2, iso(MORNING)]])), 'nowhere');
  assert.equal(fault(walk([['x', '', iso(MORNING)]])), 'nowhere');
  assert.equal(fault(walk([[6.14, 46.2, '1970-01-01T00:00:00Z']])), 'unlikely');
  assert.equal(fault(`<gpx ${'x'.repeat(70_000)}`), 'damaged');
  assert.equal(fault(`<gpx>${'<a>'.repeat(100)}`), 'damaged');
  assert.equal(fault(`<gpx><rte><rtept><time>${'1'.repeat(70_000)}`), 'damaged');
  for (const length of [1, 3]) assert.equal(fault('{"features": [', length), 'broken_off');
});

test('a file that breaks off keeps what came before', () => {
  const text = walk();
  const found = read(text.slice(0, text.lastIndexOf('<trkpt')));
  assert.equal(found.isBroken, true);
  assert.equal(found.points.count, 2);
  assert.equal(read(text).isBroken, false);
});

test('entities are not expanded', () => {
  const bomb = '<!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
  assert.equal(fault(`${bomb}<gpx><name>&b;</name></gpx>`), 'empty', 'an internal subset is not read');
});

test('nonsense in Google and GeoJSON files does not throw', () => {
  for (const element of [null, 1, 'x', [], {}, { activitySegment: null, placeVisit: {} }, { activitySegment: { waypointPath: { waypoints: [null] }, simplifiedRawPath: { points: [null, 3] } } }, { visit: { topCandidate: { placeLocation: 5 } }, timelinePath: [null] }]) {
    for (const name of ['locations', 'timelineObjects', 'semanticSegments', 'rawSignals', 'features']) {
      const code = fault(JSON.stringify({ [name]: [element] }));
      assert.ok(['empty', 'timeless', 'nowhere', 'type'].includes(code), `${name} ${JSON.stringify(element)} ${code}`);
    }
  }
});

// Pieces

const pointsOf = (...given) => {
  const points = new Points(NOW);
  for (const [x, y, time, accuracy] of given) points.add(x, y, time, accuracy);
  return points;
};

test('a clock that runs backwards cuts the way, and nothing is sorted away', () => {
  const points = pointsOf([6.14, 46.2, MORNING], [6.141, 46.2, MORNING + 60_000], [6.142, 46.2, MORNING + 30_000],
    [6.143, 46.2, MORNING + 90_000]);
  assert.deepEqual(points.pieces(), [[0, 2], [2, 4]]);
  assert.equal(points.faults.backwards, 1);
});

test('gaps, jumps and flights are not filled in', () => {
  const minute = 60_000;
  // A gap of ten minutes and a kilometre.
  assert.equal(pointsOf([6.14, 46.2, MORNING], [6.153, 46.2, MORNING + 10 * minute]).pieces().length, 2);
  // A stay of an hour is no gap.
  assert.equal(pointsOf([6.14, 46.2, MORNING], [6.1401, 46.2, MORNING + 60 * minute]).pieces().length, 1);
  // One wrong point.
  const wrong = pointsOf([6.14, 46.2, MORNING], [7.5, 47, MORNING + minute], [6.141, 46.2, MORNING + 2 * minute]);
  assert.deepEqual(wrong.pieces(), [[0, 1], [2, 3]]);
  assert.equal(wrong.faults.jumps, 1);
});

test('points across the antimeridian make one piece', () => {
  const points = pointsOf([179.999, -16.5, MORNING], [-179.9995, -16.5, MORNING + 60_000], [180.0003, -16.5, MORNING + 90_000]);
  assert.deepEqual(points.pieces(), [[0, 3]]);
  assert.ok(Math.abs(points.longitudes[2] + 179.9997) < 1e-9);
});

test('vague, timeless and impossible points are counted and left out; somebody who stands still stays one point', () => {
  const points = pointsOf([6.14, 46.2, MORNING, 1_500], [6.14, 46.2, NaN], [6.14, 46.2, NOW + 3 * 86_400_000], [400, 0, MORNING],
    [6.14, 46.2, MORNING], [6.14, 46.2, MORNING + 1_000], [6.14, 46.2, MORNING + 61_000]);
  assert.equal(points.count, 2);
  assert.deepEqual(points.faults, { outside: 1, timeless: 1, unlikely: 1, vague: 1, backwards: 0, jumps: 0 });
});

// Passes

const sensor = (id, bearing, metres, more = {}) => readSensor({
  id, geometry: { coordinates: destination(PLACE, bearing, metres) },
  properties: { name: id, category: 'camera_ptz', status: 'confirmed', precision: 'exact', data_collected: ['video'], ...more },
}, NOW, () => []);
/** Walks east for a kilometre, at one metre a second. */
const stroll = (start = MORNING) => pointsOf(...Array.from({ length: 101 }, (_, i) => (
  [...destination(PLACE, 90, i * 10), start + i * 10_000])));
const SENSORS = [
  sensor('first', 90, 200, { operator: { name: 'Town' } }),
  sensor('second', 90, 800, { operator: { name: 'Police' }, category: 'alpr', data_collected: ['plate', 'still_image'] }),
  sensor('far', 0, 900),
];
const passing = (points = stroll()) => passesOf(points, points.pieces(), new SensorIndex(SENSORS), utcDay);

test('a walk passes the devices on it, with the times', () => {
  const { passes, metres } = passing();
  assert.deepEqual(passes.map(({ device }) => device), ['first', 'second']);
  const [first] = passes;
  assert.ok(Math.abs(first.from - (MORNING + 140_000)) < 2_000, iso(first.from));
  assert.ok(Math.abs(first.to - (MORNING + 260_000)) < 2_000, iso(first.to));
  assert.ok(first.nearest < 3);
  assert.ok(Math.abs(metres['2026-11-23'] - 1_000) < 2);
});

test('a device is passed twice if somebody comes back later', () => {
  const there = Array.from({ length: 101 }, (_, i) => [...destination(PLACE, 90, i * 10), MORNING + i * 10_000]);
  const back = there.map(([x, y], i) => [x, y, MORNING + 4_000_000 - i * 10_000]).reverse();
  const { passes } = passing(pointsOf(...there, ...back));
  assert.equal(passes.filter(({ device }) => device === 'first').length, 2);
});

test('days are those of the zone of the browser', () => {
  const dayOf = localDays();
  const date = new Date(2026, 10, 23, 23, 59);
  assert.equal(dayOf(date.getTime()), '2026-11-23');
  assert.equal(dayOf(date.getTime() + 60_000), '2026-11-24');
});

// The diary

const diary = () => withPasses(emptyDiary(), passing(), SENSORS, utcDay);

test('the diary counts by day, week, month and year, by kind and by operator', () => {
  const two = withPasses(diary(), passing(stroll(MORNING + 8 * 86_400_000)), SENSORS, utcDay);
  assert.deepEqual(periodsOf(two, 'day'), ['2026-12-01', '2026-11-23']);
  assert.deepEqual(periodsOf(two, 'week'), ['2026-11-30', '2026-11-23']);
  assert.deepEqual(periodsOf(two, 'month'), ['2026-12-01', '2026-11-01']);
  assert.deepEqual(periodsOf(two, 'year'), ['2026-01-01']);
  assert.equal(startOf('2026-11-29', 'week'), '2026-11-23');
  const { passes, metres } = during(two, 'year', '2026-01-01');
  assert.equal(passes.length, 4);
  assert.equal(metres, 2_000);
  const count = countOf(two, passes);
  assert.equal(count.devices, 2);
  assert.deepEqual(count.kinds.map(({ kind, count: found }) => [kind, found]), [['video', 2], ['plates', 1]]);
  assert.deepEqual(count.operators.map(({ operator }) => operator), ['Police', 'Town']);
  assert.deepEqual(Object.keys(two.devices).sort(), ['first', 'second'], 'no device that was not passed');
  assert.equal(momentsOf(two, passes, 'Town').length, 2);
});

test('the same file read twice counts once', () => {
  const twice = withPasses(diary(), passing(), SENSORS, utcDay);
  assert.deepEqual(twice, diary());
  // Another program has recorded the same walk half a minute apart.
  const shifted = withPasses(diary(), passing(stroll(MORNING + 30_000)), SENSORS, utcDay);
  assert.equal(during(shifted, 'day', '2026-11-23').passes.length, 2);
});

test('no place is kept but those of devices', () => {
  const text = written(diary());
  for (const number of text.match(/\d+\.\d{4,}/g) ?? []) {
    assert.ok(SENSORS.some(({ position }) => position.includes(Number(number))) || Number(number) < 100 || Number(number) > 1e12, number);
  }
  assert.deepEqual(Object.keys(diary().days['2026-11-23']).sort(), ['metres', 'passes']);
});

test('days are forgotten after 90 days unless that is changed', () => {
  assert.equal(remembered(diary(), '2027-02-20').days['2026-11-23'] !== undefined, true);
  const later = remembered(diary(), '2027-02-21');
  assert.deepEqual(later.days, {});
  assert.deepEqual(later.devices, {});
  assert.deepEqual(remembered({ ...diary(), keep: null }, '2099-01-01').days, diary().days);
  assert.equal(lastsUntil(diary()), '2027-02-21');
  assert.equal(lastsUntil({ ...diary(), keep: null }), null);
  assert.equal(lastsUntil(emptyDiary()), null);
});

test('places next to each other are one, the most passed first', () => {
  const near = [...SENSORS, sensor('beside', 90, 810)];
  const points = stroll();
  const made = withPasses(emptyDiary(), passesOf(points, points.pieces(), new SensorIndex(near), utcDay), near, utcDay);
  const places = placesOf(made, during(made, 'day', '2026-11-23').passes, 10);
  assert.deepEqual(places.map(({ devices, passes }) => [devices, passes]), [[2, 2], [1, 1]]);
  assert.equal(placesOf(made, during(made, 'day', '2026-11-23').passes, 1).length, 1);
});

test('thresholds tell when a day passes more devices', () => {
  const own = { ...diary(), thresholds: [{ kind: 'all', count: 1 }, { kind: 'plates', count: 1 }, { kind: 'video', count: 2 }] };
  assert.deepEqual(exceeded(own, '2026-11-23'), [{ threshold: { kind: 'all', count: 1 }, count: 2 }]);
  assert.deepEqual(exceeded(own, '2026-11-24'), []);
});

// Files and encryption

test('the diary comes back from its file, and a foreign file is refused', () => {
  assert.deepEqual(readFile(written(diary())), { diary: diary() });
  const own = { ...diary(), keep: null, thresholds: [{ kind: 'all', count: 20 }] };
  assert.deepEqual(readFile(written(own)), { diary: own });
  for (const text of ['', '{}', '[]', 'null', '{"format":"farol-diary","version":2}', '{"format":"farol-diary","version":1}',
    '{"format":"farol-diary","version":1,"diary":{"days":[],"devices":{}}}',
    '{"format":"farol-diary","version":1,"locked":{"salt":"x"}}']) assert.equal(readFile(text), null, text);
  const odd = JSON.parse(written(diary()));
  odd.diary.days['2026-13-45'] = { passes: [] };
  odd.diary.days.constructor = { passes: [] };
  odd.diary.days['2026-11-23'].passes.push({ device: 'unknown', from: 1, to: 2, nearest: 3 }, null,
    { device: 'first', from: 5, to: 'x', nearest: 1 });
  odd.diary.devices['<b>'] = odd.diary.devices.first;
  odd.diary.devices.bad = { name: 3 };
  odd.diary.thresholds = [{ kind: 'x', count: 1 }, null];
  assert.deepEqual(readFile(JSON.stringify(odd)), { diary: diary() });
});

test('a locked diary opens with its passphrase only, and nothing of it is readable', async () => {
  const text = written(diary());
  const key = await newKey('a good passphrase é', 1_000);
  const [one, two] = [await lock(text, key), await lock(text, key)];
  assert.notEqual(one.iv, two.iv);
  assert.notEqual(one.data, two.data);
  assert.equal(JSON.stringify(one).includes('Police'), false);
  assert.equal((await unlock(one, 'a good passphrase e\u0301')).text, text);
  assert.equal(await unlock(one, 'another'), null);
  assert.equal(await unlock({ ...one, data: `${one.data.slice(0, -8)}AAAAAAA=` }, 'a good passphrase é'), null);
  assert.equal(await unlock({ ...one, data: '!' }, 'a good passphrase é'), null);
  assert.deepEqual(readFile(writtenLocked(one)), { locked: one });
});

test('a large file is read in little time, and a million points fit', () => {
  const reader = new TrackReader(NOW);
  const began = performance.now();
  reader.push('<gpx><trk><trkseg>');
  let size = 0;
  for (let part = 0; part < 200; part += 1) {
    const text = Array.from({ length: 1_000 }, (_, i) => trkpt(6 + (part * 1_000 + i) * 1e-4, 46, iso(MORNING + (part * 1_000 + i) * 1_000))).join('');
    size += text.length;
    reader.push(text);
  }
  reader.push('</trkseg></trk></gpx>');
  const { points } = reader.end();
  assert.equal(points.count, 200_000);
  const seconds = (performance.now() - began) / 1_000;
  assert.ok(size / seconds > 2e6, `${Math.round(size / seconds / 1e6)} MB a second`);
});
