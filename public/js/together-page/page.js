// @ts-check
// The page of a request that people make together.

import { getJSON } from '../api.js';
import { lateName } from '../devices/late-name.js';
import { byId, fill, h, icon } from '../dom.js';
import { formatDay, formatNumber } from '../format.js';
import { language, translate } from '../i18n.js';
import { todayHere } from '../ledger/deadline.js';
import { operatorAddress } from '../links.js';
import { attempt, showLost, toOperators } from '../operators/lost.js';
import { instanceName } from '../page/brand.js';
import { onSession, session, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { ANSWERS, stateOf } from '../together/common.js';
import { joinPart, ownRequests } from '../together/join.js';
import { askedWords, countdownWords, peopleWords } from '../together/words.js';

/** @typedef {import('../together/common.js').Common} Common */

const id = decodeURIComponent(location.pathname.split('/')[2] ?? '');

async function show() {
  await whenSession();
  const [common, own] = await Promise.all([
    getJSON(`/api/common-requests/${encodeURIComponent(id)}?lang=${language()}`), ownRequests(),
    scheme('choices').catch(() => null),
  ]);
  draw(common, own);
}

/** @param {Common} common @param {import('../together/common.js').Own[]} own */
function draw(common, own) {
  const today = todayHere();
  const title = translate('together.page', { right: askedWords(common), name: common.operator.name });
  document.title = `${title} · ${instanceName()}`;
  fill(byId('content'), h('div', { class: 'ledger together-page' },
    h('header', { class: 'ledger-head' },
      h('h1', { tabindex: '-1' }, title),
      h('p', { class: 'lead' },
        h('a', { href: operatorAddress(common.operator.name) }, h('bdi', {}, common.operator.name)),
        common.place && [' · ', h('bdi', {}, common.place.name)])),
    h('section', { class: 'paper together-now', 'aria-labelledby': 'together-now' },
      h('h2', { id: 'together-now' }, peopleWords(common)),
      h('p', { class: 'now-due' }, icon('clock'), countdownWords(common, today)),
      joinPart(common, own)),
    outcome(common, today), about(common),
    h('section', { class: 'paper', 'aria-labelledby': 'together-how' },
      h('h2', { id: 'together-how' }, translate('together.how')),
      h('ol', { class: 'ledger-how' },
        ...['letter', 'count', 'deadline'].map((part) => h('li', {}, translate(`together.how.${part}`)))),
      h('p', { class: 'section-note' }, translate('together.private')))));
}

/** @param {Common} common @param {string} today */
function outcome(common, today) {
  const known = ANSWERS.filter((answer) => common.answers[answer] !== null);
  if (stateOf(common, today) === 'gathering' && !known.length) return null;
  return h('section', { class: 'paper', 'aria-labelledby': 'together-outcome' },
    h('h2', { id: 'together-outcome' }, translate('together.outcome')),
    !known.length && h('p', {}, translate('together.outcome.few')),
    known.length > 0 && h('dl', { class: 'practice-figures' }, ...known.map((answer) =>
      h('div', { class: `practice-${answer}` },
        h('dt', {}, translate(`outcomes.${answer}`)),
        h('dd', {}, translate('together.at_least',
          { count: formatNumber(common.answers[answer] ?? 0, language()) }))))));
}

/** @param {Common} common */
function about(common) {
  const { id, name, category } = common.device;
  const counted = formatDay(common.as_of, language());
  return h('section', { class: 'paper', 'aria-labelledby': 'together-about' },
    h('h2', { id: 'together-about' }, translate('together.about')),
    h('dl', { class: 'facts' },
      h('div', {}, h('dt', {}, translate('together.device')),
        h('dd', {}, name
          ? h('a', { href: `/devices/${id}` }, lateName({ id, name, category: category ?? 'other' }))
          : translate('together.device.gone'))),
      common.due_on && h('div', {}, h('dt', {}, translate('together.deadline')),
        h('dd', {}, formatDay(common.due_on, language()) ?? common.due_on)),
      counted && h('div', {}, h('dt', {}, translate('together.counted')), h('dd', {}, counted))));
}

startShell().then(async () => {
  byId('back').setAttribute('href', '/operators');
  fill(byId('back'), icon('back'), translate('operators.title'));
  const again = () => attempt(show, (refusal) => showLost({
    title: translate('together.missing'),
    words: refusal.status === 404 ? translate('together.missing.why') : refusal.message,
  }, toOperators()));
  await again();
  let who = session()?.account.id;
  onSession(() => {
    const now = session()?.account.id;
    if (now !== who) again();
    who = now;
  });
});
