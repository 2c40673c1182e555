// Reads all pieces of a street graph from its file, which is a PMTiles archive (docs/reference/street-graph.md).

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import { decodePiece } from '../../../public/js/routes/piece.js';

/** The bytes of each piece, compressed. */
export function packedPieces(path) {
  const file = readFileSync(path);
  const section = (place) => [Number(file.readBigUInt64LE(place)), Number(file.readBigUInt64LE(place + 8))];
  const part = ([offset, length]) => gunzipSync(file.subarray(offset, offset + length));
  const [leaves] = section(40);
  const [tiles] = section(56);
  const entries = directory(part(section(8))).flatMap((entry) => (
    entry.run > 0 ? [entry] : directory(part([leaves + entry.offset, entry.length]))));
  return entries.map(({ offset, length }) => file.subarray(tiles + offset, tiles + offset + length));
}

/** The metadata of a file. */
export function metadata(path) {
  const file = readFileSync(path);
  const [offset, length] = [Number(file.readBigUInt64LE(24)), Number(file.readBigUInt64LE(32))];
  return JSON.parse(gunzipSync(file.subarray(offset, offset + length)).toString());
}

/** The pieces of a file. */
export const readPieces = (path) => packedPieces(path).map((bytes) => decodePiece(new Uint8Array(gunzipSync(bytes))));

function directory(bytes) {
  let place = 0;
  const next = () => {
    let [number, factor] = [0, 1];
    for (;;) {
      const byte = bytes[place];
      place += 1;
      number += (byte & 0x7f) * factor;
      if (byte < 0x80) return number;
      factor *= 128;
    }
  };
  const count = next();
  const column = () => Array.from({ length: count }, next);
  column();
  const [runs, lengths, offsets] = [column(), column(), column()];
  let after = 0;
  return offsets.map((offset, index) => {
    const start = offset === 0 ? after : offset - 1;
    after = start + lengths[index];
    return { run: runs[index], length: lengths[index], offset: start };
  });
}
