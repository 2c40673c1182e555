// @ts-check
// Page of one choice: its state, possible next events, its letter, its deadlines and its history.

import { connection, getFile, Outage, Refusal } from '../api.js';
import { withName } from '../devices/late-name.js';
import { marker } from '../devices/terms.js';
import { ask } from '../dialog.js';
import { byId, fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { download } from '../forms/copy.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { language, translate } from '../i18n.js';
import { todayHere } from '../ledger/deadline.js';
import { shownState, steps } from '../ledger/ledger.js';
import { findChoice } from '../ledger/store.js';
import { instanceName } from '../page/brand.js';
import { laterToast } from '../page/later.js';
import { announce } from '../page/notices.js';
import { signInAddress } from '../page/trouble.js';
import { onSession, session } from '../session.js';
import { startShell } from '../shell/shell.js';
import { categoryIcon, scheme } from '../taxonomies.js';
import { choicePart } from '../together/choice-part.js';
import { acts } from './acts.js';
import { LetterPart } from './letter-part.js';
import { lettersOf } from './letter.js';
import { objectionPart } from './objection.js';
import { choiceTitle, dayWords, dueWords, placeWords, reasonWords, stateBadge, stateSymbol } from './words.js';

/** @typedef {import('../ledger/ledger.js').Choice} Choice */

class ChoicePage {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.today = todayHere();
    /** @type {LetterPart | null} */
    this.letter = null;
    this.isThere = false;
  }

  /** @returns {Promise<void>} */
  async start() {
    try {
      const [found] = await Promise.all([
        findChoice(this.id), scheme('choices').catch(() => null), scheme('categories').catch(() => null),
      ]);
      if (!found) return this.missing();
      this.isThere = true;
      this.ledger = found.ledger;
      this.letter = new LetterPart(found.choice, {
        save: (patch) => found.ledger.change(this.id, patch),
        sent: (channel) => this.acts?.open('sent', { channel }),
        deliver: found.ledger.deliver ? () => this.deliver() : null,
      });
      this.draw(found.choice);
    } catch (error) {
      if (error instanceof Outage) return connection.recovered().then(() => this.start());
      if (!(error instanceof Refusal)) throw error;
      this.missing(error.message);
    }
    return undefined;
  }

  /** @param {string} [why] */
  missing(why) {
    document.title = `${translate('ledger.missing')} · ${instanceName()}`;
    fill(byId('content'), h('div', { class: 'refusal' },
      h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon('question')),
      h('h1', { tabindex: '-1' }, translate('ledger.missing')),
      h('p', {}, why ?? translate(session() ? 'ledger.missing.here' : 'ledger.missing.signed_out')),
      h('div', { class: 'form-acts' },
        h('a', { class: 'button primary', href: '/choices' }, icon('list'), translate('ledger.title')),
        !session() && h('a', { class: 'button', href: signInAddress() }, icon('sign-in'), translate('menu.sign_in')))));
  }

  /** @param {import('../ledger/ledger.js').Told} told */
  async tell(told) {
    if (!this.ledger) return;
    this.happened(await this.ledger.tell(this.id, told));
  }

  /** Sends the letter through Farol. */
  async deliver() {
    const choice = await this.ledger?.deliver?.(this.id);
    if (choice) this.happened(choice);
  }

  /** @param {Choice} choice the choice after an event */
  happened(choice) {
    this.draw(choice);
    this.letter?.update(choice);
    announce(translate('event.saved', { state: translate(`ledger.state.${shownState(choice, this.today)}`) }));
    byId('now').focus();
  }

  /** @param {Choice} choice */
  draw(choice) {
    this.choice = choice;
    const title = choiceTitle(choice);
    const name = h('bdi', {}, choice.device.name);
    this.named(choice, (words) => {
      name.textContent = words;
      document.title = `${title} · ${words} · ${instanceName()}`;
    });
    this.acts = acts(choice, (told) => this.tell(told));
    fill(byId('content'), h('div', { class: 'ledger choice-page' },
      h('header', { class: 'choice-head' },
        marker(categoryIcon(choice.device.category), choice.device.status),
        h('div', { class: 'choice-words' },
          h('h1', { tabindex: '-1' }, title),
          h('p', { class: 'said' }, h('a', { href: `/devices/${choice.device.id}` }, name),
            choice.operator?.name && ` · ${choice.operator.name}`)),
        stateBadge(choice, this.today)),
      this.line(choice), this.now(choice), this.letter?.element ?? null, this.days(choice), this.events(choice),
      choicePart(choice, this.ledger?.place === 'account'), this.keep(choice)));
  }

  /**
   * A choice in this browser has the displayed name already, and the server does not learn which devices it has.
   * @param {Choice} choice @param {(name: string) => void} use
   */
  named({ device }, use) {
    if (this.ledger?.place === 'account') withName(device, use);
    else use(device.name);
  }

  /** @param {Choice} choice */
  line(choice) {
    return h('ol', { class: 'steps', 'aria-label': translate('ledger.steps') },
      ...steps(choice, this.today).map(({ state, at, look }) => (
        h('li', { class: `step step-${look} choice-${state}`, 'aria-current': look === 'now' ? 'step' : null },
          h('span', { class: 'step-mark', 'aria-hidden': 'true' }, icon(stateSymbol(state))),
          h('span', { class: 'step-words' }, translate(`ledger.state.${state}`),
            look === 'ahead' && h('span', { class: 'visually-hidden' }, ` (${translate('ledger.ahead')})`),
            at && h('small', {}, state === 'answer'
              ? translate('ledger.by_day', { day: dayWords(at) })
              : dayWords(at)))))));
  }

  /** @param {Choice} choice */
  now(choice) {
    const state = shownState(choice, this.today);
    const due = dueWords(choice, this.today);
    // Until the person agrees, it is the operator alone who says so.
    const key = state === 'honoured' && choice.events.at(-1)?.by === 'operator' ? 'honoured.claimed' : state;
    return h('section', { class: 'paper now', id: 'now', 'aria-labelledby': 'now-title', tabindex: '-1' },
      h('h2', { id: 'now-title' }, translate(`now.${key}.title`)),
      due && h('p', { class: 'now-due' }, icon('clock'), due),
      h('p', {}, translate(`now.${key}`)),
      state === 'contested' && objectionPart(choice),
      ['wanted', 'overdue', 'contested', 'refused'].includes(state) && lettersOf(choice).length > 0
        && h('p', {}, h('a', { class: 'button primary', href: '#letter' }, icon('mail'), translate('letter.go'))),
      choice.next.length ? this.acts?.element ?? null : null);
  }

  /** @param {Choice} choice */
  days(choice) {
    const rows = /** @type {const} */ ([
      ['received_on', choice.received_on], ['due_on', choice.due_on], ['extended_until', choice.extended_until],
    ]).filter(([, day]) => day);
    if (!rows.length) return null;
    return h('section', { class: 'paper', 'aria-labelledby': 'days-title' },
      h('h2', { id: 'days-title' }, translate('ledger.days')),
      h('dl', { class: 'facts' },
        ...rows.map(([name, day]) => h('div', {}, h('dt', {}, translate(`ledger.${name}`)),
          h('dd', {}, formatDay(day, language()))))),
      h('p', { class: 'section-note' },
        translate((choice.deadline ? choice.deadline.basis !== 'courtesy' : choice.right && choice.regime)
          ? 'ledger.days.how'
          : 'ledger.days.courtesy')));
  }

  /** @param {Choice} choice */
  events(choice) {
    return h('section', { class: 'paper', 'aria-labelledby': 'events-title' },
      h('h2', { id: 'events-title' }, translate('ledger.events')),
      h('ol', { class: 'events' },
        h('li', {},
          h('p', {}, icon('draft'), h('strong', {}, translate('ledger.state.wanted')), ' ',
            h('span', { class: 'section-note' }, dayWords(choice.created_at)))),
        ...choice.events.map((event) => h('li', {},
          h('p', {}, icon(stateSymbol(event.event)), h('strong', {}, translate(`ledger.state.${event.event}`)), ' ',
            h('span', { class: 'section-note' },
              [
                dayWords(event.at),
                event.channel && translate(`${event.by === 'operator' ? 'answered' : 'channel'}.${event.channel}`),
                event.by !== 'person' && event.channel !== event.by && translate(`event.by.${event.by}`),
              ].filter(Boolean).join(' · '))),
          event.reason && h('p', {}, `${translate('event.reason')}: `,
            h('span', { class: 'said' }, reasonWords(event.reason))),
          event.note && h('blockquote', { class: 'said' }, event.note)))));
  }

  /** @param {Choice} choice */
  keep(choice) {
    const { ledger } = this;
    if (!ledger) return null;
    const inAccount = ledger.place === 'account';
    return h('section', { class: 'paper', 'aria-labelledby': 'keep-title' },
      h('h2', { id: 'keep-title' }, translate('ledger.keep')),
      h('p', {}, placeWords(ledger)),
      inAccount && this.reminders(choice),
      h('div', { class: 'form-acts' },
        inAccount && this.file('record'), inAccount && this.file('receipt'),
        h('button', { type: 'button', class: 'button grave', onclick: () => this.remove() }, icon('trash'),
          translate('ledger.delete'))));
  }

  /** @param {Choice} choice */
  reminders({ reminders }) {
    const box = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', id: 'reminders', checked: reminders }));
    box.addEventListener('change', async () => {
      const isKept = await steadily(saidOver(box), async () => {
        await this.ledger?.change(this.id, { reminders: box.checked });
      });
      if (!isKept) box.checked = !box.checked;
    });
    return h('label', { class: 'check', for: 'reminders' }, box, h('span', {}, translate('ledger.reminders')));
  }

  /** @param {'record' | 'receipt'} what */
  file(what) {
    return h('button', {
      type: 'button', class: 'button',
      onclick: (/** @type {Event} */ event) => (
        steadily(saidOver(/** @type {HTMLElement} */ (event.currentTarget)), async () => {
          const { blob, name } = await getFile(`/api/choices/${encodeURIComponent(this.id)}/${what}`);
          download(blob, name ?? `farol-${what}.jsonld`);
        })),
    }, icon('download'), translate(`ledger.${what}`));
  }

  async remove() {
    const answer = await ask({
      title: translate('ledger.delete.title'), words: translate('ledger.delete.words'),
      answers: [
        { value: 'keep', label: translate('form.cancel') },
        { value: 'delete', label: translate('ledger.delete'), look: 'grave' },
      ],
    });
    if (answer !== 'delete') return;
    const isRemoved = await steadily(saidOver(byId('content')), async () => { await this.ledger?.remove(this.id); });
    if (!isRemoved) return;
    laterToast('ledger.deleted');
    location.assign('/choices');
  }
}

startShell().then(() => {
  const page = new ChoicePage(decodeURIComponent(location.pathname.split('/')[2] ?? ''));
  page.start();
  // After a sign-in or sign-out the page shows the choices of the new user. It does not reload
  // where that would lose unsaved text.
  onSession(() => { if (!page.isThere || (page.ledger?.place === 'account' && !session())) page.start(); });
});
