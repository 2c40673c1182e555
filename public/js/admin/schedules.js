// @ts-check
// Scheduled imports: the lists that the server reads from their address again and again.

import { connection, getJSON, Outage, send } from '../api.js';
import { ask } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { plural, translate } from '../i18n.js';
import { moment } from '../moderation/detail.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';
import { scheduleForm, timeWords } from './schedule-form.js';

/**
 * @typedef {object} Run
 * @property {string} ran_at
 * @property {'imported' | 'unchanged' | 'held' | 'failed'} outcome
 * @property {string | null} sentence
 * @property {number | null} import
 */
/**
 * @typedef {object} Schedule
 * @property {number} id
 * @property {string} name
 * @property {string} url
 * @property {string | null} source
 * @property {string | null} licence
 * @property {'day' | 'week' | 'month'} every
 * @property {number} day
 * @property {number} hour
 * @property {'withdraw' | 'remove' | null} missing what becomes of devices that the list no longer has
 * @property {number} missing_limit
 * @property {boolean} enabled
 * @property {'admin' | 'failures' | 'account' | null} ended_by
 * @property {string | null} by
 * @property {string | null} due_at
 * @property {boolean} running
 * @property {Run | null} last_run
 * @property {number} failures
 */
/** @typedef {{name: string, title: string}} Mapping */

const PATH = '/api/admin/import-schedules';
const WATCH = 2_000; // milliseconds between two status requests during a run

export class Schedules {
  /**
   * @param {HTMLElement} place
   * @param {() => void} imported called after each run
   */
  constructor(place, imported) {
    this.imported = imported;
    /** @type {Mapping[]} all mappings of the instance */
    this.mappings = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} of the next status request */
    this.timer = undefined;
    /** @type {Set<number>} schedules of which a run is in progress */
    this.running = new Set();
    this.form = h('div', { class: 'schedule-form' });
    this.list = h('div', {});
    this.adding = h('button', { type: 'button', class: 'button', 'data-act': 'schedule', onclick: () => this.add() },
      icon('plus'), translate('admin.schedules.add'));
    this.title = h('h2', { id: 'schedules', tabindex: '-1' }, translate('admin.schedules'));
    fill(place, this.title, h('p', { class: 'section-note' }, translate('admin.schedules.lead')),
      h('div', { class: 'decision-acts' }, this.adding), this.form, this.list);
    this.load();
  }

  async load() {
    try {
      /** @type {{schedules: Schedule[]}} */
      const { schedules } = await getJSON(PATH);
      this.draw(schedules);
    } catch (error) {
      fill(this.list, h('p', { role: 'alert' }, trouble(error)));
      if (error instanceof Outage && connection.reach !== 'fine') connection.recovered().then(() => this.load());
    }
  }

  /** @param {Schedule[]} schedules */
  draw(schedules) {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.of : undefined;
    fill(this.list, schedules.length
      ? h('ul', { class: 'schedule-list' }, ...schedules.map((one) => this.row(one)))
      : h('p', {}, translate('admin.schedules.none')));
    if (focused) this.focus(focused);
    const running = new Set(schedules.filter((one) => one.running).map((one) => one.id));
    const hasEnded = [...this.running].some((id) => !running.has(id));
    this.running = running;
    if (hasEnded) this.imported();
    clearTimeout(this.timer);
    if (running.size) this.timer = setTimeout(() => { if (this.list.isConnected) this.load(); }, WATCH);
  }

  /**
   * The focus stays on the button that was pressed, or moves to the first one of its schedule.
   * @param {string} name
   */
  focus(name) {
    const first = `${name.split(' ')[0]} `;
    /** @type {HTMLElement | null} */
    const found = this.list.querySelector(`[data-of="${name}"]`) ?? this.list.querySelector(`[data-of^="${first}"]`);
    found?.focus();
  }

  /** @param {Schedule} one */
  row(one) {
    return h('li', { class: 'fact-section schedule' },
      h('h3', {}, h('bdi', {}, one.name)),
      h('p', { class: 'schedule-url' }, h('bdi', {}, one.url)),
      h('p', { class: 'section-note' }, timeWords(one),
        ' · ', one.by ? translate('admin.schedules.by', { name: one.by }) : translate('admin.schedules.by.none')),
      h('div', { role: 'status' }, ...this.state(one)), this.acts(one));
  }

  /** @param {Schedule} one */
  state(one) {
    const { last_run: run } = one;
    return [
      h('p', {}, one.enabled
        ? one.due_at && translate('admin.schedules.due', { time: moment(one.due_at) })
        : h('strong', {}, translate(`admin.schedules.ended.${one.ended_by ?? 'admin'}`))),
      one.running && h('p', {}, translate('admin.schedules.running')),
      run && h('p', {}, translate('admin.schedules.ran', { time: moment(run.ran_at) }), ' ',
        h('span', { class: 'chip' }, translate(`admin.schedules.outcome.${run.outcome}`)), ' ',
        run.import !== null && h('a', { href: `/admin/imports/${run.import}` },
          translate('admin.schedules.report'))),
      run?.sentence ? h('p', { class: 'field-fault' }, h('bdi', {}, run.sentence)) : null,
      one.failures > 0 && h('p', {}, plural('admin.schedules.failures', one.failures)),
    ];
  }

  /** @param {Schedule} one */
  acts(one) {
    const isHeld = one.last_run?.outcome === 'held';
    return h('div', { class: 'decision-acts' },
      isHeld && !one.running && this.button(one, 'force', 'primary', (button) => this.force(one, button)),
      !one.running && this.button(one, 'run', '', (button) => this.run(one, {}, button)),
      this.button(one, one.enabled ? 'pause' : 'resume', '', (button) => this.enable(one, button)),
      this.button(one, 'edit', '', () => this.edit(one)),
      this.button(one, 'remove', 'grave', (button) => this.remove(one, button)));
  }

  /**
   * @param {Schedule} one @param {string} name of the action @param {string} look
   * @param {(button: HTMLElement) => void} act
   */
  button(one, name, look, act) {
    const words = translate(`admin.schedules.${name}`);
    return h('button', {
      type: 'button', class: `button ${look}`.trim(), 'data-of': `${one.id} ${name}`,
      'aria-label': `${words}: ${one.name}`,
      onclick: (/** @type {Event} */ event) => act(/** @type {HTMLElement} */ (event.currentTarget)),
    }, words);
  }

  /** @param {Schedule} one @param {object} json @param {HTMLElement} button */
  async run(one, json, button) {
    const isStarted = await steadily(saidOver(button), () => send('POST', `${PATH}/${one.id}/run`, { json }), {
      again: translate('admin.schedules.run'),
    });
    if (isStarted) {
      this.running.add(one.id);
      toast(translate('admin.schedules.started'));
    }
    await this.load();
  }

  /** @param {Schedule} one @param {HTMLElement} button */
  async force(one, button) {
    if (await sure('force', one, 'primary')) await this.run(one, { confirmed: true }, button);
  }

  /** @param {Schedule} one @param {HTMLElement} button */
  async enable(one, button) {
    const isChanged = await steadily(saidOver(button),
      () => send('PATCH', `${PATH}/${one.id}`, { json: { enabled: !one.enabled } }));
    if (isChanged) toast(translate(one.enabled ? 'admin.schedules.paused' : 'admin.schedules.resumed'));
    await this.load();
  }

  /** @param {Schedule} one @param {HTMLElement} button */
  async remove(one, button) {
    if (!await sure('remove', one, 'grave')) return;
    const isRemoved = await steadily(saidOver(button), () => send('DELETE', `${PATH}/${one.id}`), {
      refused: ({ status }) => status === 404, // 404: the response to the first request was lost
    });
    if (isRemoved) toast(translate('admin.schedules.deleted'));
    await this.load();
    this.title.focus();
  }

  // The form.

  /**
   * Opens the form for a new schedule.
   * @param {{id: number, file: string} | null} repeated the import whose mapping it takes over
   */
  add(repeated = null) {
    this.show(scheduleForm({
      mappings: this.mappings, repeated,
      save: async (json) => {
        await send('POST', PATH, { json });
        await this.saved();
      },
      cancel: () => this.close(),
    }), translate('admin.schedules.add'));
  }

  /** @param {Schedule} one */
  edit(one) {
    this.show(scheduleForm({
      schedule: one, mappings: this.mappings,
      save: async (json) => {
        await send('PATCH', `${PATH}/${one.id}`, { json });
        await this.saved();
      },
      cancel: () => this.close(),
    }), translate('admin.schedules.edit.title', { name: one.name }));
  }

  /** @param {HTMLElement} form @param {string} words */
  show(form, words) {
    const heading = h('h3', { tabindex: '-1' }, words);
    this.adding.hidden = true;
    fill(this.form, h('section', { class: 'fact-section' }, heading, form));
    heading.focus();
  }

  close() {
    fill(this.form);
    this.adding.hidden = false;
    this.adding.focus();
  }

  async saved() {
    this.close();
    toast(translate('admin.schedules.saved'));
    await this.load();
  }

  /**
   * Opens the form with the mapping of an import.
   * @param {number} id
   */
  async repeat(id) {
    try {
      const { file } = await getJSON(`/api/admin/imports/${id}`);
      this.add({ id, file });
    } catch (error) {
      fill(this.form, h('p', { role: 'alert' }, trouble(error)));
    }
  }
}

/**
 * Asks before an action that changes much.
 * @param {'force' | 'remove'} name @param {Schedule} one @param {'primary' | 'grave'} look
 */
async function sure(name, one, look) {
  const label = translate(`admin.schedules.${name}`);
  const answer = await ask({
    title: label, words: translate(`admin.schedules.${name}.sure`, { name: one.name }),
    answers: [{ value: 'no', label: translate('form.cancel') }, { value: 'yes', label, look }],
  });
  return answer === 'yes';
}
