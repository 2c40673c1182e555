// @ts-check
// A word with its definition one tap or keypress away: what it means, where that is from, where to read on.

import { h, icon, iconButton } from '../dom.js';
import { has, language, translate } from '../i18n.js';
import { allTerms, label, term } from '../taxonomies.js';
import { explanations, kindAddress, sourceOf, termAddress } from './glossary.js';

/** @typedef {import('../taxonomies.js').Term} Term */
/**
 * @typedef {object} Definition
 * @property {string} title
 * @property {string} text
 * @property {import('./glossary.js').Source | null} [source]
 * @property {{href: string, words: string} | null} [more] where to read on
 */

let count = 0;
/** @type {{terms: Map<string, Term> | undefined, found: Map<string, Term>}} */
let known = { terms: undefined, found: new Map() };

/**
 * The word of the glossary that explains something; nothing before the glossary was loaded.
 * @param {string} subject «data:plate», «field:retention»
 */
function explaining(subject) {
  const terms = allTerms('glossary');
  if (terms !== known.terms) known = { terms, found: explanations(terms?.values() ?? []) };
  return known.found.get(subject);
}

/**
 * A code of a scheme as a word that opens its definition; only the word where there is none.
 * @param {string} schemeName @param {string} code
 * @param {string} [look] class of the button
 */
export function termButton(schemeName, code, look = 'term') {
  const words = label(schemeName, code);
  const text = term(schemeName, code)?.definition;
  if (!text) return h('span', { class: `${look} is-plain` }, words);
  const explained = explaining(`${schemeName}:${code}`);
  const more = schemeName === 'categories' ? { href: kindAddress(code), words: translate('term.more_kind') } : explained && moreOf(explained);
  return definitionButton(words, { title: words, text, source: sourceOf(explained, language()), more }, look);
}

/**
 * What a field is called, as a word that opens what that means; only the word where the glossary has
 * nothing to say of it.
 * @param {string} field as the interface names it @param {string} [words]
 * @returns {HTMLElement | string}
 */
export function fieldWords(field, words) {
  const shown = words ?? (has(`field.${field}`) ? translate(`field.${field}`) : field);
  const found = explaining(`field:${field}`);
  return found ? glossaryButton(found, shown) : shown;
}

/**
 * A word of the glossary by its code; nothing where there is none.
 * @param {string} code @param {string} [words] other words for it
 */
export function glossaryWords(code, words) {
  const found = term('glossary', code);
  return found ? glossaryButton(found, words ?? found.label) : null;
}

/**
 * The word of the glossary that explains a field, by its own name.
 * @param {string} field
 */
export function fieldExplained(field) {
  const found = explaining(`field:${field}`);
  return found ? glossaryButton(found, found.label) : null;
}

/** @param {Term} found @param {string} words */
function glossaryButton(found, words) {
  return definitionButton(words, { title: found.label, text: found.definition ?? '', source: sourceOf(found, language()), more: moreOf(found) });
}

/** @param {Term} found */
function moreOf(found) {
  return { href: termAddress(found.code), words: translate('term.more') };
}

/**
 * @param {string} words on the page @param {Definition} definition @param {string} [look]
 */
export function definitionButton(words, { title, text, source, more }, look = 'term') {
  count += 1;
  const id = `definition-${count}`;
  const button = h('button', { type: 'button', class: look, popovertarget: id, 'aria-haspopup': 'dialog', 'aria-expanded': 'false' }, words);
  // It takes the focus when it opens, so that a screen reader reads it and Tab goes on to its links.
  const bubble = h('div', {
    class: 'bubble', id, popover: 'auto', role: 'dialog', tabindex: '-1', autofocus: true, 'aria-labelledby': `${id}-title`, 'aria-describedby': `${id}-text`,
  },
  h('div', { class: 'bubble-head' },
    h('strong', { id: `${id}-title` }, title),
    iconButton('close', translate('close'), { popovertarget: id, popovertargetaction: 'hide' })),
  h('p', { id: `${id}-text` }, text),
  (source || more) && h('p', { class: 'bubble-more' },
    more && h('a', { href: more.href }, more.words),
    source && h('span', {}, translate('term.source'), h('a', { href: source.url, rel: 'noopener noreferrer', target: '_blank', lang: source.language === language() ? null : source.language }, source.title, icon('external')))));
  bubble.addEventListener('toggle', () => {
    const open = bubble.matches(':popover-open');
    button.setAttribute('aria-expanded', String(open));
    if (open) place(bubble, button);
  });
  return h('span', { class: 'term-holder' }, button, bubble);
}

/**
 * Puts a bubble below its word, or above where there is no room.
 * @param {HTMLElement} bubble @param {HTMLElement} word
 */
function place(bubble, word) {
  const edge = word.getBoundingClientRect();
  const width = Math.min(320, innerWidth - 24);
  bubble.style.width = `${width}px`;
  bubble.style.left = `${Math.max(12, Math.min(edge.left, innerWidth - width - 12))}px`;
  const height = bubble.offsetHeight;
  const below = edge.bottom + 6 + height < innerHeight;
  bubble.style.top = `${below ? edge.bottom + 6 : Math.max(12, edge.top - height - 6)}px`;
}

/**
 * A button that shows what each answer of a list means, and hides it again.
 * @param {HTMLElement} list whose `small` words are definitions
 */
export function explainButton(list) {
  const button = h('button', { type: 'button', class: 'explain', 'aria-pressed': 'false' }, icon('question'), translate('term.explain_all'));
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(list.classList.toggle('is-explained')));
  });
  return button;
}
