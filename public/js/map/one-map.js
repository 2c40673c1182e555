// @ts-check
// One map at a time in a part of a page that shows one thing after the other. A browser draws about sixteen maps, and
// ends the oldest without notice.

/** @typedef {{map: {remove: () => void}}} View */

export class OneMap {
  /** @type {View | null} */
  #shown = null;

  #turn = 0;

  /**
   * Ends the map that is shown.
   * @returns {(view: View) => boolean} keeps a new map; false if another one was begun meanwhile, which ends the new
   *   one
   */
  begin() {
    this.#shown?.map.remove();
    this.#shown = null;
    this.#turn += 1;
    const turn = this.#turn;
    return (view) => {
      if (turn !== this.#turn) {
        view.map.remove();
        return false;
      }
      this.#shown = view;
      return true;
    };
  }
}
