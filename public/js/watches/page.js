// @ts-check
// The page of the watches of the signed-in user.

import { getJSON } from '../api.js';
import { opener } from '../account/section.js';
import { trouble } from '../account/sessions.js';
import { byId, fill, h, icon } from '../dom.js';
import { schemesOf } from '../filters/words.js';
import { formatDay } from '../format.js';
import { language, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { toast } from '../page/notices.js';
import { untilAnswered } from '../page/start.js';
import { onSession, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { watchItem } from './item.js';
import { watchForm } from './watch-form.js';
import { asked, WATCHES } from './watches.js';

/** @typedef {import('./watches.js').WatchList} WatchList */

async function start() {
  await startShell();
  document.title = `${translate('watches.title')} · ${instanceName()}`;
  const found = await whenSession();
  if (!found) return leave();
  const list = h('div', { class: 'stack', id: 'watches', tabindex: '-1', 'aria-busy': 'true' });
  const notices = h('div', {});
  const adding = opener({ words: translate('watch.add'), symbol: icon('plus') }, (close) => watchForm(
    null, asked(location.hash) ?? { area: null, label: '', filter: {} }, {
      cancel: close,
      done: async ({ id }) => {
        // Otherwise a reload would ask for the same watch again.
        history.replaceState(history.state, '', location.pathname);
        close(translate('watch.added'));
        await reload(id);
      },
    }));

  /** @param {WatchList} all */
  const draw = async ({ watches, maximum, mail_refused_at: refused }) => {
    // Without a vocabulary, its codes are shown.
    await Promise.all(schemesOf(watches.map(({ filter }) => filter)).map((name) => scheme(name).catch(() => null)));
    list.removeAttribute('aria-busy');
    fill(notices, refused && h('p', { class: 'aside-note' }, icon('warning'), h('span', {},
      translate('watches.refused', { day: formatDay(refused, language()) ?? '' }), ' ',
      h('a', { href: '/account#profile' }, translate('menu.my_account')))));
    fill(list, ...(watches.length
      ? watches.map((watch) => watchItem(watch, reload))
      : [h('p', { class: 'field-note' }, translate('watches.none'))]));
    adding.button.hidden = watches.length >= maximum;
  };
  /** @param {string | null} focus */
  async function reload(focus) {
    await draw(await getJSON(WATCHES));
    const one = [...list.children].find((element) => element.getAttribute('data-watch') === focus);
    (/** @type {HTMLElement} */ (one ?? list)).focus();
  }

  fill(byId('content'), h('div', { class: 'watches' },
    h('header', {}, h('h1', { tabindex: '-1' }, translate('watches.title')),
      h('p', {}, translate('watches.why')), h('p', { class: 'field-note' }, translate('watches.private'))),
    notices, h('div', {}, adding.button), adding.place, list));
  onSession((now) => (now ? undefined : leave()));
  if (!found.account.confirmed) toast(translate('watches.unconfirmed'));
  await untilAnswered(WATCHES).then(draw).catch(trouble);
  if (asked(location.hash)) adding.button.click();
  return undefined;
}

function leave() {
  location.replace(`/sign-in?then=${encodeURIComponent(`/watches${location.hash}`)}`);
}

start();
