// @ts-check
// The menu on every page: account, language, theme and links.

import { h, icon, iconButton } from '../dom.js';
import { chooseLanguage, language, translate } from '../i18n.js';
import { isDueSoon } from '../ledger/kept.js';
import { chooseTheme, themeChoice } from '../page/theme.js';
import { accountMenu } from './account-menu.js';

/** The menu button and its sheet. */
export function menu() {
  const sheet = h('div', { class: 'menu', id: 'menu', popover: 'auto' });
  sheet.append(
    accountMenu(),
    choice(translate('menu.language'), 'language', [['en', 'English'], ['pt', 'Português']], language(),
      chooseLanguage),
    choice(
      translate('menu.theme'), 'theme',
      [
        ['auto', translate('menu.theme.auto')], ['light', translate('menu.theme.light')],
        ['dark', translate('menu.theme.dark')],
      ],
      themeChoice(), (value) => chooseTheme(/** @type {import('../page/theme.js').Choice} */ (value)),
    ),
    h('nav', { class: 'menu-links', 'aria-label': translate('menu.pages') },
      h('a', { href: '/' }, icon('map'), translate('menu.map')),
      h('a', { href: '/choices', 'aria-current': location.pathname === '/choices' ? 'page' : null }, icon('list'),
        h('span', {}, translate('menu.choices')),
        isDueSoon() && h('span', { class: 'chip is-on' }, translate('menu.choices.due'))),
      h('a', { href: '/operators', 'aria-current': location.pathname === '/operators' ? 'page' : null }, icon('city'),
        translate('menu.operators')),
      h('a', { href: '/statistics', 'aria-current': location.pathname === '/statistics' ? 'page' : null },
        icon('chart'), translate('menu.statistics')),
      h('a', { href: '/outcomes', 'aria-current': location.pathname === '/outcomes' ? 'page' : null }, icon('queue'),
        translate('menu.outcomes')),
      h('a', { href: '/learn' }, icon('learn'), translate('menu.learn')),
      h('a', { href: '/learn/glossary' }, icon('glossary'), translate('menu.glossary')),
      h('a', { href: '/about' }, icon('info'), translate('menu.about')),
      h('a', { href: '/terms' }, icon('terms'), translate('menu.terms')),
      h('a', { href: '/api' }, icon('external'), translate('menu.api'))),
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
  return [button, sheet];
}

/**
 * A choice between a few options, as a row of radio buttons.
 * @param {string} title @param {string} name @param {string[][]} options @param {string} chosen
 * @param {(value: string) => void} choose
 */
function choice(title, name, options, chosen, choose) {
  return h('fieldset', { class: 'segmented' }, h('legend', {}, title),
    h('div', { class: 'segments' }, ...options.map(([value, text]) => h('label', {},
      h('input', {
        type: 'radio', name, value, checked: value === chosen, class: 'visually-hidden', onchange: () => choose(value),
      }), h('span', { lang: name === 'language' ? value : null }, text)))));
}
