// @ts-check
// The faults of routes. Pure; the sentences are `routes.fault.<code>` in public/locale.

/**
 * - `version`: a piece in a version of the format that this program does not read
 * - `damaged`: a piece that was cut off, or is no piece
 * - `too-large`: a piece above a limit of the reader
 * - `mixed`: pieces of different files
 * - `load`: a piece could not be fetched
 * - `no-streets`: no file of streets has this place
 * - `no-way`: the streets do not connect the places
 * - `too-far`: more pieces than are loaded at once
 * - `no-street-near`: no street for this way of moving is near
 * - `memory`: the device has too little memory
 * - `failed`: a fault of this program
 * @typedef {'version' | 'damaged' | 'too-large' | 'mixed' | 'load' | 'no-streets' | 'no-way' | 'too-far'
 *   | 'no-street-near' | 'memory' | 'failed'} FaultCode
 */

/** A fault with one sentence for the person. */
export class RouteError extends Error {
  /** @param {FaultCode} code @param {string} [detail] for programmers, in English */
  constructor(code, detail = '') {
    super(detail ? `${code}: ${detail}` : code);
    this.name = 'RouteError';
    /** @readonly */
    this.code = code;
    /** @readonly */
    this.detail = detail;
  }
}

/**
 * A fault for any thrown value: the same, `memory` if an array could not be allocated, and otherwise `failed`.
 * @param {unknown} fault
 * @returns {RouteError}
 */
export function routeFault(fault) {
  if (fault instanceof RouteError) return fault;
  return new RouteError(fault instanceof RangeError ? 'memory' : 'failed', String(fault));
}
