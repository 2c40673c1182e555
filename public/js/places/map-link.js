// @ts-check
// Reads the position in a link of a web map, a `geo:` address (RFC 5870) or a plus code. Pure.

/** @typedef {import('./coordinates.js').Coordinate} Coordinate */

/** Parameters with a pair, latitude first: the place that a link is about, then the middle of the map. */
const PAIRS = ['q', 'query', 'destination', 'daddr', 'll', 'sll', 'cp', 'pt', 'center', 'marker', 'viewpoint'];
const APART = [['mlat', 'mlon'], ['lat', 'lon'], ['lat', 'lng'], ['latitude', 'longitude']];
const PAIR = /^(?:loc:)?\s*(-?\d{1,3}(?:\.\d+)?)(?:\s*[,~]\s*|[\s+]+)(-?\d{1,3}(?:\.\d+)?)(?![\d.])/;
const LONGEST = 4_000;

/**
 * @param {string} text
 * @returns {Coordinate | null}
 */
export function positionOfLink(text) {
  const clean = text.trim();
  if (clean.length > LONGEST) return null;
  if (/^geo:/i.test(clean)) return ofGeo(clean.slice(4));
  if (/^https?:\/\//i.test(clean)) return ofWeb(clean);
  return ofPlusCode(clean);
}

/** @param {string} latitude @param {string} longitude */
function coordinate(latitude, longitude) {
  const found = { longitude: Number(longitude), latitude: Number(latitude) };
  return Math.abs(found.latitude) <= 90 && Math.abs(found.longitude) <= 180 ? found : null;
}

/** @param {string | null | undefined} text */
function pair(text) {
  const found = PAIR.exec(text ?? '');
  return found && coordinate(found[1], found[2]);
}

/**
 * Android's form `geo:0,0?q=46.2,6.1(Label)` has the place in the query.
 * @param {string} text
 */
function ofGeo(text) {
  const [path, query = ''] = text.split('?');
  const place = pair(path);
  const asked = pair(new URLSearchParams(query).get('q'));
  return place && place.longitude === 0 && place.latitude === 0 && asked ? asked : place;
}

/** @param {string} text */
function addressOf(text) {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** @param {string} text */
function ofWeb(text) {
  // Of Google, the place and not the middle of the map: …!3d46.2!4d6.1
  const place = [...text.matchAll(/!3d(-?\d{1,3}(?:\.\d+)?)!4d(-?\d{1,3}(?:\.\d+)?)/g)].at(-1);
  if (place) return coordinate(place[1], place[2]);
  const address = addressOf(text);
  if (!address) return null;
  const { searchParams, pathname, hash } = address;
  for (const name of PAIRS) {
    const found = pair(searchParams.get(name));
    if (found) return found;
  }
  for (const [latitude, longitude] of APART) {
    const found = pair(`${searchParams.get(latitude)},${searchParams.get(longitude)}`);
    if (found) return found;
  }
  const view = /@([^/]+)/.exec(pathname);
  if (view) return pair(view[1]);
  const map = /(?:^#|&)map=[\d.]+\/(-?[\d.]+)\/(-?[\d.]+)/.exec(hash);
  return map && coordinate(map[1], map[2]);
}

const DIGITS = '23456789CFGHJMPQRVWX';

/**
 * The middle of the area of a full plus code (Open Location Code).
 * @param {string} text
 */
function ofPlusCode(text) {
  const code = text.toUpperCase();
  if (!/^[2-9CFGHJMPQRVWX]{8}\+[2-9CFGHJMPQRVWX]{2,7}$/.test(code)) return null;
  const digits = [...code.replace('+', '')].map((letter) => DIGITS.indexOf(letter));
  let [south, west, height, width] = [-90, -180, 400, 400];
  digits.forEach((digit, place) => {
    if (place < 10) {
      if (place % 2 === 0) {
        height /= 20;
        south += digit * height;
      } else {
        width /= 20;
        west += digit * width;
      }
      return;
    }
    // Further digits divide the area into five rows and four columns.
    height /= 5;
    width /= 4;
    south += Math.floor(digit / 4) * height;
    west += (digit % 4) * width;
  });
  return coordinate(String(south + height / 2), String(west + width / 2));
}
