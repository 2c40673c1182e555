// @ts-check
// Actions behind «More actions»: always in the list of the map, elsewhere on a phone only.

import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';

let made = 0;

/**
 * The button and the actions behind it, for a row of other actions. A tap elsewhere and Escape fold them again.
 * @param {...(HTMLElement | null)} actions
 * @returns {[HTMLElement, HTMLElement]}
 */
export function behindMore(...actions) {
  const rest = h('div', { class: 'more-acts', id: `more-acts-${made += 1}` }, ...actions);
  const more = h('button', {
    type: 'button', class: 'button more-open', 'aria-expanded': 'false', 'aria-controls': rest.id,
    'aria-label': translate('acts.more'), title: translate('acts.more'),
    onclick: () => turn(!rest.classList.contains('is-open')),
  }, icon('more'));
  const isInside = (/** @type {EventTarget | null} */ target) => (
    target instanceof Node && (more.contains(target) || rest.contains(target)));
  // The focus returns here from the dialog of an action.
  const isInDialog = (/** @type {EventTarget | null} */ target) => (
    target instanceof Element && target.closest('dialog, [popover]') !== null);
  const outside = (/** @type {Event} */ event) => {
    if (!isInside(event.target) && !isInDialog(event.target)) turn(false);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Escape' || document.querySelector('dialog[open], :popover-open')) return;
    const hadFocus = isInside(document.activeElement);
    event.preventDefault(); // what is open over the map stays
    turn(false);
    if (hadFocus) more.focus();
  };
  /** @param {boolean} isOpen */
  function turn(isOpen) {
    rest.classList.toggle('is-open', isOpen);
    more.setAttribute('aria-expanded', String(isOpen));
    // A page that is drawn again leaves no listener behind.
    for (const [type, listener] of /** @type {[string, any][]} */ ([['pointerdown', outside], ['keydown', key]])) {
      if (isOpen) addEventListener(type, listener, true);
      else removeEventListener(type, listener, true);
    }
  }
  return [more, rest];
}
