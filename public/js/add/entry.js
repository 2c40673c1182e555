// @ts-check
// Entry points for adding a device: the button over the map, the drafts button, a keyboard
// shortcut, and the URL of an open draft.

import { fill, h, icon } from '../dom.js';
import { draftsKept } from '../drafts/waiting.js';
import { plural, translate } from '../i18n.js';
import { late, Stale } from '../late.js';
import { toast } from '../page/notices.js';

/** @typedef {import('./start.js').AddContext} AddContext */

export class AddEntry {
  /** @param {HTMLElement} place @param {AddContext} context */
  constructor(place, context) {
    this.context = context;
    this.drafts = h('button', { type: 'button', class: 'button drafts-button', onclick: () => this.start('drafts') });
    this.button = h('button', {
      type: 'button', class: 'button primary add-button', 'aria-keyshortcuts': 'Alt+A',
      title: translate('add.button.key'), onclick: () => this.start(),
    }, icon('plus'), h('span', {}, translate('add.button')));
    place.append(this.drafts, this.button);
    this.count();
    addEventListener('storage', () => this.count());
    addEventListener('farol-drafts', () => this.count());
    addEventListener('keydown', (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyA') return;
      event.preventDefault();
      this.start();
    });
    context.state.subscribe((state, before) => {
      if (state.adding && state.adding !== before.adding && !this.wizard?.has(state.adding)) this.open(state.adding);
      else if (!state.adding && before.adding) this.close();
    });
  }

  /** Opens the draft that the URL names when the page loads. */
  begin() {
    const { adding } = this.context.state.current;
    if (adding) this.open(adding);
  }

  /**
   * Starts a new draft, or shows the list of drafts.
   * @param {'new' | 'drafts'} [what]
   */
  start(what = 'new') {
    if (!this.context.state.current.adding) {
      this.context.state.update({ adding: what, device: null, spot: null }, 'push');
    }
  }

  count() {
    const count = draftsKept();
    this.drafts.hidden = count === 0;
    if (!count) return;
    const words = h('span', {}, plural('drafts.count', count));
    fill(this.drafts, icon('draft'), words);
    this.waiting().then((waiting) => {
      if (waiting) words.textContent = plural('drafts.waiting', waiting);
    }).catch(() => undefined); // The number of drafts remains.
  }

  /** The number of drafts that wait to be sent. The wizard has their store already, also without a connection. */
  async waiting() {
    const drafts = this.wizard?.context.drafts
      ?? await (await late(import('../drafts/draft-store.js'))).draftStore();
    return (await drafts.all()).filter(({ stage }) => stage === 'waiting').length;
  }

  /** @param {string} id id of a draft, `new`, or `drafts` for the list */
  async open(id) {
    this.button.classList.add('is-busy');
    try {
      const [{ wizard }] = await Promise.all([late(import('./start.js')), this.context.pane.decided]);
      this.wizard = await wizard({ ...this.context, closed: () => this.closed() });
      if (this.context.state.current.adding === id) await this.wizard.open(id);
    } catch (error) {
      this.context.state.update({ adding: null }, 'replace');
      if (!(error instanceof Stale)) toast(translate('outage'));
    }
    this.button.classList.remove('is-busy');
  }

  close() {
    this.wizard?.close();
  }

  closed() {
    this.count();
    this.context.closed();
    this.button.focus({ preventScroll: true });
  }
}
