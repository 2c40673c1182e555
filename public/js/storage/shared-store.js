// @ts-check
// A database of this browser, whose changes all tabs learn of.

/** @template Stores */
export class SharedStore {
  /** @param {import('../types').Database<Stores>} database @param {string} name of the channel between the tabs */
  constructor(database, name) {
    this.database = database;
    this.channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : null;
    /** @type {(() => void)[]} */
    this.listeners = [];
    this.channel?.addEventListener('message', () => this.hear());
  }

  /** Whether the content outlasts the page. */
  get isLasting() { return this.database.isLasting; }

  /**
   * Adds a listener for changes in this tab and in others.
   * @param {() => void} listener
   */
  onChange(listener) { this.listeners.push(listener); }

  hear() { for (const listener of this.listeners) listener(); }

  /** Calls the listeners in all tabs. */
  announce() {
    this.channel?.postMessage('changed');
    this.hear();
  }
}
