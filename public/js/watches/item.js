// @ts-check
// One watch in the list: its subject, its deliveries, and its buttons.

import { getJSON, send } from '../api.js';
import { deleted, trouble } from '../account/sessions.js';
import { ask } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { formatDay, formatMoment } from '../format.js';
import { copyButton } from '../forms/copy.js';
import { isBusy, whileBusy } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { watchForm } from './watch-form.js';
import { addressOf } from './watches.js';
import { areaWords, eventWords, filterWords, mailWords } from './words.js';

/** @typedef {import('./watches.js').Watch} Watch */

/**
 * @param {Watch} watch
 * @param {(focus: string | null) => Promise<void>} reload loads the list and moves the focus to a watch or the list
 */
export function watchItem(watch, reload) {
  const titleId = `watch-${watch.id}`;
  const place = h('div', { class: 'opened' });
  const act = (/** @type {string} */ key, /** @type {string} */ symbol, /** @type {() => Promise<unknown>} */ work) => {
    const button = h('button', {
      type: 'button', class: 'button', 'aria-label': `${translate(key)}: ${watch.label}`,
      onclick: () => {
        if (!isBusy(button)) whileBusy([button], work).catch(trouble);
      },
    }, icon(symbol), translate(key));
    return button;
  };
  const change = async (/** @type {object} */ json, /** @type {string} */ said) => {
    await send('PATCH', addressOf(watch.id), { json });
    toast(translate(said));
    await reload(watch.id);
  };
  const edit = async () => {
    const close = () => {
      fill(place);
      element.focus();
    };
    const form = watchForm(watch, { area: null, label: '', filter: {} }, {
      cancel: close,
      done: async () => {
        toast(translate('watch.saved'));
        await reload(watch.id);
      },
    });
    fill(place, form.element);
    /** @type {HTMLElement | null} */ (form.element.querySelector('input'))?.focus();
  };
  const stop = async () => {
    const answer = await ask({
      title: translate('watch.stop.title', { label: watch.label }), words: translate('watch.stop.why'),
      answers: [
        { value: 'yes', label: translate('watch.stop'), look: 'grave' },
        { value: 'no', label: translate('form.cancel') },
      ],
    });
    if (answer !== 'yes' || !await deleted(addressOf(watch.id), element)) return;
    toast(translate('watch.stopped'));
    await reload(null);
  };
  const test = async () => {
    await send('POST', `${addressOf(watch.id)}/test`);
    toast(translate('watch.tested'));
    await reload(watch.id);
  };
  const element = h('section', { class: 'paper', 'aria-labelledby': titleId, tabindex: '-1', 'data-watch': watch.id },
    h('h2', { id: titleId }, h('bdi', {}, watch.label),
      watch.paused && h('span', { class: 'chip is-warning' }, translate('watch.paused'))),
    facts(watch),
    h('div', { class: 'watch-acts' },
      act('watch.edit', 'edit', edit),
      act(watch.paused ? 'watch.resume' : 'watch.pause', watch.paused ? 'restore' : 'clock',
        () => change({ paused: !watch.paused }, watch.paused ? 'watch.is_resumed' : 'watch.is_paused')),
      (watch.mail !== 'none' || watch.webhook) && act('watch.test', 'send', test),
      act('watch.keep', 'check', () => change({}, 'watch.kept')),
      act('watch.stop', 'trash', stop)),
    place, sent(watch));
  return element;
}

/** @param {Watch} watch */
function facts(watch) {
  const filter = filterWords(watch);
  /** @type {[string, (string | Node | null)[]][]} */
  const rows = [
    ['watch.area', [watch.area.type === 'device'
      ? h('a', { href: `/devices/${encodeURIComponent(watch.area.device)}` }, areaWords(watch.area))
      : areaWords(watch.area)]],
    ...(filter || watch.failed_at
      ? [/** @type {[string, (string | Node | null)[]]} */ (['watch.filter', [filter, watch.failed_at
        && h('p', { class: 'aside-note' }, icon('warning'), h('span', {}, translate('watch.failed')))]])]
      : []),
    ...(watch.area.type === 'queue' ? []
      : [/** @type {[string, string[]]} */ (['watch.events', [eventWords(watch)]])]),
    ['watch.mail', [mailWords(watch)]],
    ...(watch.feed ? [/** @type {[string, Node[]]} */ (['watch.feed.atom', [address(watch.feed.atom)]])] : []),
    ...(watch.webhook ? [
      /** @type {[string, (string | Node | null)[]]} */
      (['watch.webhook', [watch.webhook.url, webhookNote(watch.webhook)]]),
      /** @type {[string, Node[]]} */ (['watch.webhook.secret', [secret(watch.webhook.secret)]]),
    ] : []),
    ['watch.ends', [formatDay(watch.ends_on, language()) ?? '']],
  ];
  return h('dl', { class: 'watch-facts' },
    ...rows.map(([key, values]) => h('div', {}, h('dt', {}, translate(key)), h('dd', {}, ...values))));
}

/**
 * Why a webhook is not called.
 * @param {NonNullable<Watch['webhook']>} webhook
 */
function webhookNote(webhook) {
  const key = webhook.ended_at ? 'watch.webhook.ended' : webhook.proven_at ? null : 'watch.webhook.unproven';
  return key ? h('p', { class: 'aside-note' }, icon('warning'), h('span', {}, translate(key))) : null;
}

/** @param {string} text */
function address(text) {
  const code = h('code', {}, text);
  return h('div', { class: 'watch-address' }, code, copyButton(text, translate('form.copy'), code));
}

/** @param {string} text */
function secret(text) {
  const code = h('code', {}, text);
  return h('details', {}, h('summary', {}, translate('watch.webhook.secret.show')),
    h('div', { class: 'watch-address' }, code, copyButton(text, translate('form.copy'), code)));
}

/**
 * The sent changes, loaded when the part is opened.
 * @param {Watch} watch
 */
function sent(watch) {
  const list = h('ul', { class: 'watch-sent' });
  const details = h('details', {}, h('summary', {}, translate('watch.deliveries')), list);
  details.addEventListener('toggle', async () => {
    if (!(/** @type {HTMLDetailsElement} */ (details)).open) return;
    try {
      const { deliveries } = await getJSON(`${addressOf(watch.id)}/deliveries`);
      const what = watch.area.type === 'queue' ? 'watch.items' : 'watch.changes';
      fill(list, ...(deliveries.length
        ? deliveries.map((/** @type {Delivery} */ one) => delivery(one, what))
        : [h('li', { class: 'field-note' }, translate('watch.deliveries.none'))]));
    } catch (error) {
      trouble(error);
    }
  });
  return details;
}

/** @typedef {{channel: string, changes: number, outcome: string, sent_at: string}} Delivery */
/** @param {Delivery} one @param {string} what the key of the words for its number */
function delivery(one, what) {
  return h('li', {}, [
    formatMoment(one.sent_at, language()), translate(`watch.channel.${one.channel}`),
    one.changes ? plural(what, one.changes) : translate('watch.channel.test'),
    translate(`watch.outcome.${one.outcome}`),
  ].filter(Boolean).join(' · '));
}
