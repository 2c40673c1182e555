// @ts-check
// Page with only the letter, for printing and posting.

import { connection, Outage, Refusal } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { findChoice } from '../ledger/store.js';
import { instanceName } from '../page/brand.js';
import { startShell } from '../shell/shell.js';
import { letterText } from './letter-text.js';
import { letterCode, lettersOf, missingOf } from './letter.js';

/** @returns {Promise<void>} */
async function show() {
  const id = decodeURIComponent(location.pathname.split('/')[2] ?? '');
  const asked = new URLSearchParams(location.search);
  try {
    const found = await findChoice(id);
    const letters = found ? lettersOf(found.choice) : [];
    const which = letters.find((one) => one === asked.get('which')) ?? letters.at(-1);
    if (!found || !which) return lost(translate('ledger.missing.here'));
    const code = /^[a-z]{2}$/.test(asked.get('in') ?? '') ? String(asked.get('in')) : found.choice.language;
    const text = await letterText(found.choice, which, code);
    const { subject, body } = text.filled(found.choice.details);
    document.title = `${subject} · ${instanceName()}`;
    const missing = missingOf(letterCode(found.choice, which), found.choice.details);
    fill(byId('content'), h('div', { class: 'print-page' },
      h('div', { class: 'print-acts form-acts' },
        h('button', { type: 'button', class: 'button primary', onclick: () => print() }, icon('print'),
          translate('letter.print_now')),
        h('a', { class: 'button', href: `/choices/${id}` }, icon('back'), translate('letter.back'))),
      missing.length > 0 && h('p', { class: 'aside-note print-acts', role: 'status' }, icon('warning'),
        h('span', {},
          translate('letter.missing', { fields: missing.map((name) => translate(`letter.gap.${name}`)).join(', ') }))),
      h('article', { class: 'print-letter', lang: code },
        text.to && h('p', { class: 'print-address' }, [text.to.name, ...text.to.address].filter(Boolean).join('\n')),
        h('h1', { tabindex: '-1' }, subject), h('p', { class: 'letter-body' }, body))));
    if (asked.has('print') && !missing.length) print();
  } catch (error) {
    if (error instanceof Outage) return connection.recovered().then(show);
    if (!(error instanceof Refusal)) throw error;
    lost(error.message);
  }
  return undefined;
}

/** @param {string} why */
function lost(why) {
  fill(byId('content'),
    h('div', { class: 'refusal' }, h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon('question')),
      h('h1', { tabindex: '-1' }, translate('ledger.missing')), h('p', {}, why),
      h('a', { class: 'button primary', href: '/choices' }, translate('ledger.title'))));
}

startShell().then(show);
