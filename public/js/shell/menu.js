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

const WIDTH = 384; // pixels: two columns of links

/** The main pages, the menu button and its sheet. */
export function menu() {
  const sheet = h('div', { class: 'menu', id: 'menu', popover: 'auto' });
  sheet.append(
    accountMenu(),
    h('nav', { class: 'menu-pages', 'aria-label': translate('menu.pages') },
      group('mine', choicesEntry(), watchesEntry(), visitsEntry(), pageLink('/routes', 'compass', 'menu.routes'),
        pageLink('/diary', 'history', 'menu.diary')),
      group('part', pageLink('/look', 'eye', 'menu.look'), pageLink('/walk', 'locate', 'menu.walk'),
        pageLink('/mapping-days', 'clock', 'menu.mapping_days')),
      group('map', h('a', { href: '/' }, icon('map'), h('span', {}, translate('menu.map'))),
        pageLink('/operators', 'city', 'menu.operators'), pageLink('/statistics', 'chart', 'menu.statistics'),
        pageLink('/outcomes', 'queue', 'menu.outcomes'), pageLink('/query', 'filter', 'menu.query')),
      group('about', pageLink('/help', 'question', 'menu.help'), pageLink('/learn', 'learn', 'menu.learn'),
        pageLink('/learn/glossary', 'glossary', 'menu.glossary'), pageLink('/about', 'info', 'menu.about'),
        pageLink('/terms', 'terms', 'menu.terms'), pageLink('/api', 'external', 'menu.api')),
      h('div', { class: 'menu-links' }, installEntry())),
    segments({
      legend: translate('menu.language'), name: 'language', chosen: language(), choose: chooseLanguage,
      options: [{ value: 'en', words: 'English', lang: 'en' }, { value: 'pt', words: 'Português', lang: 'pt' }],
    }).element,
    segments({
      legend: translate('menu.theme'), name: 'theme', chosen: themeChoice(),
      options: ['auto', 'light', 'dark'].map((value) => ({ value, words: translate(`menu.theme.${value}`) })),
      choose: (value) => chooseTheme(/** @type {import('../page/theme.js').Choice} */ (value)),
    }).element,
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
    const width = Math.min(WIDTH, innerWidth - 16);
    sheet.style.width = `${width}px`;
    sheet.style.left = `${Math.max(8, Math.min(edge.right - width, innerWidth - width - 8))}px`;
    sheet.style.top = `${edge.bottom + 6}px`;
  };
  addEventListener('resize', () => { if (sheet.matches(':popover-open')) place(); });
  return [siteNav(), button, sheet];
}

/**
 * Links of one kind, below their title.
 * @param {string} name @param {...HTMLElement} links
 */
function group(name, ...links) {
  const id = `menu-${name}`;
  return h('section', { class: 'menu-group', 'aria-labelledby': id },
    h('h2', { id }, translate(`menu.group.${name}`)), h('div', { class: 'menu-links' }, ...links));
}

/** @param {string} href @param {string} symbol @param {string} key @param {...import('../dom.js').Child} marks */
function pageLink(href, symbol, key, ...marks) {
  return h('a', { href, 'aria-current': location.pathname === href ? 'page' : null }, icon(symbol),
    h('span', {}, translate(key)), ...marks);
}

/** The link to the user’s requests, which says whether a deadline is near. */
function choicesEntry() {
  return pageLink('/choices', 'list', 'menu.choices',
    isDueSoon() && h('span', { class: 'chip is-on' }, translate('menu.choices.due')));
}

/** The link to the visits, which says whether an offer waits. */
function visitsEntry() {
  const mark = h('span', { class: 'chip is-on' }, translate('menu.visits.offer'));
  const draw = () => { mark.hidden = !visitsKept().offers; };
  onVisits(draw);
  draw();
  return pageLink('/visits', 'pin', 'menu.visits', mark);
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
  return pageLink('/local-watches', 'bell', 'menu.local_watches', count);
}
