// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likelyBox, publicCell, publicPoint } from '../../public/js/fields/public-point.js';

/**
 * Output of `Precision.publicPoint` in Swift: precision, true place, public point.
 * @type {[string, [number, number], [number, number]][]}
 */
const FROM_SWIFT = [
  ['exact', [-16.9087, 32.6479], [-16.9087, 32.6479]],
  ['100m', [-16.9087, 32.6479], [-16.9088803, 32.6477023]],
  ['1km', [-16.9087, 32.6479], [-16.9094149, 32.6508492]],
  ['area', [-16.9087, 32.6479], [-16.8933769, 32.6823177]],
  ['exact', [-9.13933, 38.71386], [-9.13933, 38.71386]],
  ['100m', [-9.13933, 38.71386], [-9.1395707, 38.7139361]],
  ['1km', [-9.13933, 38.71386], [-9.1413009, 38.7107892]],
  ['area', [-9.13933, 38.71386], [-9.112464, 38.7062937]],
  ['exact', [13.4049999, 52.5200066], [13.4049999, 52.5200066]],
  ['100m', [13.4049999, 52.5200066], [13.4055944, 52.5196304]],
  ['1km', [13.4049999, 52.5200066], [13.4092966, 52.520979]],
  ['area', [13.4049999, 52.5200066], [13.4759358, 52.5524476]],
  ['exact', [179.99999, -16.5], [179.99999, -16.5]],
  ['100m', [179.99999, -16.5], [179.9995309, -16.4998501]],
  ['1km', [179.99999, -16.5], [179.9953088, -16.502997]],
  ['area', [179.99999, -16.5], [179.9530884, -16.4985015]],
  ['exact', [-180, -16.5], [-180, -16.5]],
  ['100m', [-180, -16.5], [-179.9995309, -16.4998501]],
  ['1km', [-180, -16.5], [-179.9953088, -16.502997]],
  ['area', [-180, -16.5], [-179.9530884, -16.4985015]],
  ['exact', [180, 0], [180, 0]],
  ['100m', [180, 0], [179.9995503, 0.0004496]],
  ['1km', [180, 0], [179.9955034, 0.0044955]],
  ['area', [180, 0], [179.9550337, 0.044955]],
  ['exact', [0, 0], [0, 0]],
  ['100m', [0, 0], [0.0004497, 0.0004496]],
  ['1km', [0, 0], [0.0044966, 0.0044955]],
  ['area', [0, 0], [0, 0.044955]],
  ['exact', [-5e-8, -1.5e-7], [-1e-07, -2e-07]],
  ['100m', [-5e-8, -1.5e-7], [-0.0004497, -0.0004496]],
  ['1km', [-5e-8, -1.5e-7], [-0.0044966, -0.0044955]],
  ['area', [-5e-8, -1.5e-7], [0, -0.044955]],
  ['exact', [12.3456789123, -45.9876543219], [12.3456789, -45.9876543]],
  ['100m', [12.3456789123, -45.9876543219], [12.3460957, -45.9876623]],
  ['1km', [12.3456789123, -45.9876543219], [12.3519252, -45.9845155]],
  ['area', [12.3456789123, -45.9876543219], [12.3065851, -45.989011]],
  ['exact', [100, 89.9999], [100, 89.9999]],
  ['100m', [100, 89.9999], [99, 89.9995504]],
  ['1km', [100, 89.9999], [90, 89.9955045]],
  ['area', [100, 89.9999], [0, 89.955045]],
  ['exact', [100, -89.9999], [100, -89.9999]],
  ['100m', [100, -89.9999], [99, -89.9995504]],
  ['1km', [100, -89.9999], [90, -89.9955045]],
  ['area', [100, -89.9999], [0, -89.955045]],
  ['exact', [-73.9857, 40.7484], [-73.9857, 40.7484]],
  ['100m', [-73.9857, 40.7484], [-73.9854077, 40.7486014]],
  ['1km', [-73.9857, 40.7484], [-73.990756, 40.7517483]],
  ['area', [-73.9857, 40.7484], [-74.044239, 40.7742258]],
  ['exact', [151.2153, -33.8572], [151.2153, -33.8572]],
  ['100m', [151.2153, -33.8572], [151.2157134, -33.856993]],
  ['1km', [151.2153, -33.8572], [151.2119205, -33.8556444]],
  ['area', [151.2153, -33.8572], [151.2281758, -33.8511489]],
  ['exact', [24.99999, 60.00001], [24.99999, 60.00001]],
  ['100m', [24.99999, 60.00001], [25.0008012, 60.0001499]],
  ['1km', [24.99999, 60.00001], [24.9944917, 60.0014985]],
  ['area', [24.99999, 60.00001], [25.0575864, 60.014985]],
  ['exact', [25, 60], [25, 60]],
  ['100m', [25, 60], [25.0008012, 60.0001499]],
  ['1km', [25, 60], [24.9944917, 60.0014985]],
  ['area', [25, 60], [25.0575864, 60.014985]],
];

test('uses the same grid as the server', () => {
  for (const [precision, place, point] of FROM_SWIFT) {
    const found = publicPoint(precision, place);
    for (const axis of [0, 1]) {
      assert.ok(Math.abs(found[axis] - point[axis]) < 1.5e-7, `${precision} ${place}: ${found}`);
    }
  }
});

test('all points of a cell have its centre as public point, and points outside do not', () => {
  for (const precision of ['100m', '1km', 'area']) {
    const place = /** @type {[number, number]} */ ([-16.9087, 32.6479]);
    const [west, south, east, north] = publicCell(precision, place) ?? [0, 0, 0, 0];
    const point = publicPoint(precision, place);
    const grain = 2e-7; // places are distinguished to seven decimals
    for (const longitude of [west + grain, east - grain]) {
      for (const latitude of [south + grain, north - grain]) {
        assert.deepEqual(publicPoint(precision, [longitude, latitude]), point);
      }
    }
    for (const beyond of [
      [west - grain, place[1]], [east + grain, place[1]], [place[0], south - grain],
      [place[0], north + grain],
    ]) {
      assert.notDeepEqual(publicPoint(precision, /** @type {[number, number]} */ (beyond)), point);
    }
  }
});

test('an exact place has no cell', () => {
  assert.equal(publicCell('exact', [0, 0]), null);
});

test('searches for duplicates within 50 m of an exact place', () => {
  const [west, south, east, north] = likelyBox('exact', [-16.9, 60]);
  const metres = 111_195.08;
  assert.ok(Math.abs((north - south) * metres - 100) < 0.1);
  assert.ok(Math.abs((east - west) * metres * Math.cos((60 * Math.PI) / 180) - 100) < 0.1);
});

test('searches for duplicates in the whole cell of an imprecise place', () => {
  assert.deepEqual(likelyBox('1km', [-16.9087, 32.6479]), publicCell('1km', [-16.9087, 32.6479]));
  assert.deepEqual(likelyBox('1km', [-16.9087, 32.6479]), likelyBox('1km', [-16.9079, 32.6484]));
});

test('a box wraps at the antimeridian and ends at a pole', () => {
  const [west, , east] = likelyBox('exact', [180, 0]);
  assert.ok(west > 179 && east < -179);
  assert.equal(likelyBox('exact', [0, 90])[3], 90);
});
