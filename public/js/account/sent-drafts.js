// @ts-check
// The drafts of this browser while they are being sent: each becomes a link to the device on the map.

import { fill, h, icon } from '../dom.js';
import { draftStore } from '../drafts/draft-store.js';
import { wake } from '../drafts/deliveries.js';
import { draftsKept } from '../drafts/waiting.js';
import { translate } from '../i18n.js';

/** @typedef {import('../drafts/draft.js').Draft} Draft */
/** @typedef {{id: string, name: string, device: string | null, stage: Draft['stage']}} Item device: once added */

/**
 * Watches the waiting drafts from now on, because another tab may send them; null without drafts.
 * @returns {{element: HTMLElement, send: () => Promise<void>} | null} `send` sends them from this tab
 */
export function sentDrafts() {
  if (!draftsKept()) return null;
  const element = h('div', { class: 'sent-drafts', role: 'status' });
  watch(element).catch(() => element.remove());
  return { element, send: wake };
}

/** @param {HTMLElement} element */
async function watch(element) {
  const drafts = await draftStore();
  /** @type {Map<string, Item>} */
  const items = new Map();
  const read = async () => {
    for (const draft of await drafts.all()) {
      if (draft.stage === 'open') continue;
      items.set(draft.id, {
        id: draft.id, name: draft.properties.name ?? '', device: draft.device, stage: draft.stage,
      });
    }
    fill(element, ...[...items.values()].map(row));
  };
  drafts.onNews(async (news) => {
    if (news.type === 'sent') items.set(news.id, { ...news, stage: 'sent' });
    await read();
  });
  await read();
}

/** @param {Item} item */
function row({ id, name, device, stage }) {
  if (device) {
    return h('div', { class: 'sent-draft is-sent' },
      h('h2', {}, icon('check'), translate('delivery.there.title')),
      h('p', {}, h('bdi', { class: 'strong' }, name)),
      h('div', { class: 'form-acts' },
        h('a', { class: 'button primary', href: `/?device=${encodeURIComponent(device)}` }, icon('map'),
          translate('delivery.there.map')),
        h('a', { class: 'button', href: `/devices/${encodeURIComponent(device)}` }, translate('delivery.there.page'))));
  }
  if (stage === 'refused') {
    return h('div', { class: 'sent-draft' },
      h('h2', {}, icon('warning'), translate('drafts.state.refused')),
      h('p', {}, h('bdi', { class: 'strong' }, name)),
      h('div', { class: 'form-acts' },
        h('a', { class: 'button primary', href: `/?add=${encodeURIComponent(id)}` }, icon('edit'),
          translate('delivery.refused.mend'))));
  }
  return h('div', { class: 'sent-draft' },
    h('h2', {}, icon('send'), translate('delivery.sending.title')), h('p', {}, h('bdi', { class: 'strong' }, name)));
}
