// @ts-check
// The pages for moderators: the queue and the log.

import { VALUE_SCHEMES } from '../devices/value-words.js';
import { byId, fill, h } from '../dom.js';
import { translate } from '../i18n.js';
import { startShell } from '../shell/shell.js';
import { ProposalDecision } from '../lists/decision.js';
import { ProposalQueue } from '../lists/queue.js';
import { DayQueue } from '../mapping-days/queue.js';
import { scheme } from '../taxonomies.js';
import { guarded } from './gate.js';
import { Log } from './log.js';
import { OperatorClaims } from './operator-claims.js';
import { Queue } from './queue.js';
import { VisitQueue } from './visits.js';
import { followQueue } from '../watches/follow.js';

const PAGES = [
  ['/moderation', 'order.queue'], ['/moderation/operator-claims', 'order.operator_claims'],
  ['/moderation/lists', 'order.lists'], ['/moderation/visits', 'visits.title'],
  ['/moderation/mapping-days', 'order.mapping_days'],
  ['/moderation/log', 'order.log'],
];

/** The page of one proposed list. */
const LIST = /^\/moderation\/lists\/([0-9a-f-]{36})$/;

async function start() {
  await startShell();
  await Promise.all(VALUE_SCHEMES.map((name) => scheme(name).catch(() => null)));
  const place = byId('content');
  guarded(place, 'moderator', () => {
    const part = h('div', { class: 'order-part' });
    fill(place, h('div', { class: 'order-head' }, h('h1', { tabindex: '-1' }, translate('order.title')), tabs(PAGES),
      followQueue()), part);
    const id = LIST.exec(location.pathname)?.[1];
    if (id) new ProposalDecision(part, id);
    else if (location.pathname === '/moderation/lists') new ProposalQueue(part);
    else if (location.pathname === '/moderation/visits') new VisitQueue(part);
    else if (location.pathname === '/moderation/mapping-days') new DayQueue(part);
    else if (location.pathname === '/moderation/log') new Log(part);
    else if (location.pathname === '/moderation/operator-claims') new OperatorClaims(part);
    else new Queue(part);
  });
}

/** @param {string[][]} pages address and key of the label */
function tabs(pages) {
  return h('nav', { class: 'order-tabs', 'aria-label': translate('order.pages') },
    ...pages.map(([href = '', key = '']) => (
      h('a', { href, 'aria-current': current(href) }, translate(key)))));
}

/** @param {string} href */
function current(href) {
  if (location.pathname === href) return 'page';
  return href === '/moderation/lists' && LIST.test(location.pathname) ? 'true' : null;
}

start();
