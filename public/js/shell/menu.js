// @ts-check
// The menu on every page: account, language, theme and links.

import { fill, h, icon, iconButton } from '../dom.js';
import { formatNumber } from '../format.js';
import { segments } from '../fields/segments.js';
import { chooseLanguage, language, plural, translate } from '../i18n.js';
import { isDueSoon } from '../ledger/kept.js';
import { onWatches, watchesKept } from '../local-watches/kept.js';
import { chooseTheme, themeChoice } from '../page/theme.js';
import { accountMenu } from './account-menu.js';
import { installEntry } from './install.js';
import { onVisits, visitsKept } from '../visits/kept.js';
import { siteNav } from './site-nav.js';

/** The main pages, the menu button and its sheet. */
export function menu() {
  const sheet = h('div', { class: 'menu', id: 'menu', popover: 'auto' });
  sheet.append(
    accountMenu(),
    segments({
      legend: translate('menu.language'), name: 'language', chosen: language(), choose: chooseLanguage,
      options: [{ value: 'en', words: 'English', lang: 'en' }, { value: 'pt', words: 'Português', lang: 'pt' }],
    }).element,
    segments({
      legend: translate('menu.theme'), name: 'theme', chosen: themeChoice(),
      options: ['auto', 'light', 'dark'].map((value) => ({ value, words: translate(`menu.theme.${value}`) })),
      choose: (value) => chooseTheme(/** @type {import('../page/theme.js').Choice} */ (value)),
    }).element,
    h('nav', { class: 'menu-links', 'aria-label': translate('menu.pages') },
      h('a', { href: '/' }, icon('map'), translate('menu.map')),
      h('a', { href: '/look', 'aria-current': location.pathname === '/look' ? 'page' : null }, icon('eye'),
        translate('menu.look')),
      h('a', { href: '/walk', 'aria-current': location.pathname === '/walk' ? 'page' : null }, icon('locate'),
        translate('menu.walk')),
      visitsEntry(),
      watchesEntry(),
      pageLink('/routes', 'compass', 'menu.routes'), pageLink('/diary', 'history', 'menu.diary'),
      h('a', { href: '/choices', 'aria-current': location.pathname === '/choices' ? 'page' : null }, icon('list'),
        h('span', {}, translate('menu.choices')),
        isDueSoon() && h('span', { class: 'chip is-on' }, translate('menu.choices.due'))),
      h('a', { href: '/operators', 'aria-current': location.pathname === '/operators' ? 'page' : null }, icon('city'),
        translate('menu.operators')),
      h('a', { href: '/statistics', 'aria-current': location.pathname === '/statistics' ? 'page' : null },
        icon('chart'), translate('menu.statistics')),
      h('a', { href: '/mapping-days', 'aria-current': location.pathname === '/mapping-days' ? 'page' : null },
        icon('clock'), translate('menu.mapping_days')),
      h('a', { href: '/query', 'aria-current': location.pathname === '/query' ? 'page' : null }, icon('filter'),
        translate('menu.query')),
      h('a', { href: '/outcomes', 'aria-current': location.pathname === '/outcomes' ? 'page' : null }, icon('queue'),
        translate('menu.outcomes')),
      h('a', { href: '/help' }, icon('question'), translate('menu.help')),
      h('a', { href: '/learn' }, icon('learn'), translate('menu.learn')),
      h('a', { href: '/learn/glossary' }, icon('glossary'), translate('menu.glossary')),
      h('a', { href: '/about' }, icon('info'), translate('menu.about')),
      h('a', { href: '/terms' }, icon('terms'), translate('menu.terms')),
      h('a', { href: '/api' }, icon('external'), translate('menu.api')),
      installEntry()),
  );
  const button = iconButton('menu', translate('menu.open'),
    { popovertarget: 'menu', class: 'menu-button', 'aria-haspopup': 'dialog' });
  sheet.setAttribute('role', 'dialog');
  sheet.setAttribute('aria-label', translate('menu.open'));
  sheet.addEventListener('toggle', () => {
    const isOpen = sheet.matches(':popover-open');
    // Elements next to the menu cannot be pressed by mistake: a tap outside only closes the menu.
    for (const main of document.querySelectorAll('main')) main.inert = isOpen;
    if (isOpen) place();
  });
  const place = () => {
    const edge = button.getBoundingClientRect();
    const width = Math.min(288, innerWidth - 16);
    sheet.style.width = `${width}px`;
    sheet.style.left = `${Math.max(8, Math.min(edge.right - width, innerWidth - width - 8))}px`;
    sheet.style.top = `${edge.bottom + 6}px`;
  };
  addEventListener('resize', () => { if (sheet.matches(':popover-open')) place(); });
  return [siteNav(), button, sheet];
}

/** @param {string} href @param {string} symbol @param {string} key */
function pageLink(href, symbol, key) {
  return h('a', { href, 'aria-current': location.pathname === href ? 'page' : null }, icon(symbol), translate(key));
}

/** The link to the visits, which says whether an offer waits. */
function visitsEntry() {
  const mark = h('span', { class: 'chip is-on' }, translate('menu.visits.offer'));
  const draw = () => { mark.hidden = !visitsKept().offers; };
  onVisits(draw);
  draw();
  return h('a', { href: '/visits', 'aria-current': location.pathname === '/visits' ? 'page' : null }, icon('pin'),
    h('span', {}, translate('menu.visits')), mark);
}

/** The link to the watched areas, with the number of new devices. */
function watchesEntry() {
  const count = h('span', { class: 'chip is-on' });
  const draw = () => {
    const { news } = watchesKept();
    fill(count, h('span', { 'aria-hidden': 'true' }, formatNumber(news, language())),
      h('span', { class: 'visually-hidden' }, plural('menu.local_watches.new', news)));
    count.hidden = !news;
  };
  onWatches(draw);
  draw();
  return h('a', { href: '/local-watches', 'aria-current': location.pathname === '/local-watches' ? 'page' : null },
    icon('bell'), h('span', {}, translate('menu.local_watches')), count);
}
