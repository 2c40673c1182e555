// @ts-check
// A button that opens the definition of a word: its meaning, the source, and a link for more.

import { h, icon, iconButton } from '../dom.js';
import { has, language, translate } from '../i18n.js';
import { safeLink } from '../links.js';
import { allTerms, label, term } from '../taxonomies.js';
import { explanations, kindAddress, sourceOf, termAddress } from './glossary.js';

/** @typedef {import('../taxonomies.js').Term} Term */
/**
 * @typedef {object} Definition
 * @property {string} title
 * @property {string} text
 * @property {import('./glossary.js').Source | null} [source]
 * @property {{href: string, words: string} | null} [more] link for further reading
 */

let count = 0;
/** @type {{terms: Map<string, Term> | undefined, found: Map<string, Term>}} */
let known = { terms: undefined, found: new Map() };

/**
 * The glossary term that explains a subject; undefined until the glossary is loaded.
 * @param {string} subject such as «data:plate» or «field:retention»
 */
function explaining(subject) {
  const terms = allTerms('glossary');
  if (terms !== known.terms) known = { terms, found: explanations(terms?.values() ?? []) };
  return known.found.get(subject);
}

/**
 * A button with the label of a code, which opens the definition. Without a definition, only the label.
 * @param {string} schemeName @param {string} code
 * @param {string} [look] class of the button
 */
export function termButton(schemeName, code, look = 'term') {
  const words = label(schemeName, code);
  const text = term(schemeName, code)?.definition;
  if (!text) return h('span', { class: `${look} is-plain` }, words);
  const explained = explaining(`${schemeName}:${code}`);
  const more = schemeName === 'categories'
    ? { href: kindAddress(code), words: translate('term.more_kind') }
    : explained && moreOf(explained);
  return definitionButton(words, { title: words, text, source: sourceOf(explained, language()), more }, look);
}

/**
 * A button with the name of a field, which opens the definition. Without a glossary term, only the name.
 * @param {string} field name in the API @param {string} [words]
 * @returns {HTMLElement | string}
 */
export function fieldWords(field, words) {
  const shown = words ?? (has(`field.${field}`) ? translate(`field.${field}`) : field);
  const found = explaining(`field:${field}`);
  return found ? glossaryButton(found, shown) : shown;
}

/**
 * A button for a glossary term by its code; null if the term does not exist.
 * @param {string} code @param {string} [words] text to show instead of the label
 */
export function glossaryWords(code, words) {
  const found = term('glossary', code);
  return found ? glossaryButton(found, words ?? found.label) : null;
}

/**
 * A button for the glossary term that explains a field, with the label of that term.
 * @param {string} field
 */
export function fieldExplained(field) {
  const found = explaining(`field:${field}`);
  return found ? glossaryButton(found, found.label) : null;
}

/** @param {Term} found @param {string} words */
function glossaryButton(found, words) {
  return definitionButton(words,
    { title: found.label, text: found.definition ?? '', source: sourceOf(found, language()), more: moreOf(found) });
}

/** @param {Term} found */
function moreOf(found) {
  return { href: termAddress(found.code), words: translate('term.more') };
}

/**
 * @param {string} words text of the button @param {Definition} definition @param {string} [look]
 */
export function definitionButton(words, { title, text, source, more }, look = 'term') {
  count += 1;
  const id = `definition-${count}`;
  const button = h('button',
    { type: 'button', class: look, popovertarget: id, 'aria-haspopup': 'dialog', 'aria-expanded': 'false' }, words);
  // The bubble takes the focus when it opens, so that a screen reader reads it and Tab goes on to its links.
  const bubble = h('div', {
    class: 'bubble', id, popover: 'auto', role: 'dialog', tabindex: '-1',
    // Only while it opens: an element with `autofocus` that enters the page claims the focus at once.
    onbeforetoggle: (/** @type {{newState: string}} */ event) => (
      bubble.toggleAttribute('autofocus', event.newState === 'open')),
    'aria-labelledby': `${id}-title`, 'aria-describedby': `${id}-text`,
  },
  h('div', { class: 'bubble-head' },
    h('strong', { id: `${id}-title` }, title),
    iconButton('close', translate('close'), { popovertarget: id, popovertargetaction: 'hide' })),
  h('p', { id: `${id}-text` }, text),
  (source || more) && h('p', { class: 'bubble-more' },
    more && h('a', { href: more.href }, more.words),
    source
      && h('span', {}, translate('term.source'),
        h('a',
          { href: safeLink(source.url), rel: 'noopener noreferrer', target: '_blank',
            lang: source.language === language() ? null : source.language }, source.title, icon('external')))));
  bubble.addEventListener('toggle', () => {
    const open = bubble.matches(':popover-open');
    button.setAttribute('aria-expanded', String(open));
    if (open) place(bubble, button);
  });
  return h('span', { class: 'term-holder' }, button, bubble);
}

/**
 * Places a bubble below its word, or above it if there is no room below.
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
 * A button that shows or hides the definition of each answer in a list.
 * @param {HTMLElement} list its `small` elements contain the definitions
 */
export function explainButton(list) {
  const button = h('button', { type: 'button', class: 'explain', 'aria-pressed': 'false' }, icon('question'),
    translate('term.explain_all'));
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(list.classList.toggle('is-explained')));
  });
  return button;
}
