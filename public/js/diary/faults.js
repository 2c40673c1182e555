// @ts-check
// Why a file cannot be read. Each code has one sentence: `diary.fault.…` of the catalogue.

/**
 * @typedef {'type' | 'empty' | 'damaged' | 'broken_off' | 'timeless' | 'nowhere' | 'too_long' | 'too_large' | 'too_far'
 *   | 'unreadable' | 'unlikely'} FaultCode
 */

export class FileFault extends Error {
  /** @param {FaultCode} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}
