// @ts-check
// The rows of the list of suggestions.

import { readDevice } from '../devices/device.js';
import { h, icon } from '../dom.js';
import { formatPosition } from '../format.js';
import { translate } from '../i18n.js';
import { categoryIcon, label } from '../taxonomies.js';
import { placeContext } from './suggestions.js';

/** @typedef {import('./suggestions.js').Suggestion} Suggestion */

/** @param {Suggestion['kind']} kind */
export function groupTitle(kind) {
  return h('p', { class: 'suggestions-title', 'aria-hidden': 'true' }, translate(`search.${kind}`));
}

/** @param {Suggestion} suggestion @param {number} index @param {() => void} take */
export function suggestionRow(suggestion, index, take) {
  const { symbol, name, context } = describe(suggestion);
  return h('div', {
    class: 'suggestion', role: 'option', id: `suggestion-${index}`, 'aria-selected': 'false', onclick: take,
  }, symbol,
  h('span', { class: 'suggestion-words' }, h('span', { class: 'said' }, name),
    context && h('small', { class: 'said' }, context)));
}

/** @param {Suggestion} suggestion @returns {{symbol: HTMLElement, name: string, context: string}} */
function describe(suggestion) {
  switch (suggestion.kind) {
    case 'position': {
      const { longitude, latitude } = suggestion;
      return {
        symbol: icon('pin'), name: formatPosition(longitude, latitude), context: translate('search.position.why'),
      };
    }
    case 'category': {
      const { term } = suggestion;
      return {
        symbol: icon(categoryIcon(term.code), 'category'), name: term.plural ?? term.label,
        context: translate('search.category.why'),
      };
    }
    case 'place':
      return { symbol: icon('city'), name: suggestion.place.name, context: placeContext(suggestion.place) };
    case 'device': {
      const device = readDevice(suggestion.feature);
      return {
        symbol: icon(categoryIcon(device.category), 'category'), name: device.name,
        context: [label('categories', device.category), device.operator.name].filter(Boolean).join(' · '),
      };
    }
    default:
      return { symbol: icon('filter'), name: translate('search.all', { words: suggestion.words }), context: '' };
  }
}
