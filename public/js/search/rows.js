// @ts-check
// The rows of the list of suggestions.

import { readDevice } from '../devices/device.js';
import { displayName, isMade } from '../devices/name.js';
import { h, icon } from '../dom.js';
import { formatPosition } from '../format.js';
import { translate } from '../i18n.js';
import { placeContext, placeLabel } from '../places/place.js';
import { categoryIcon, label } from '../taxonomies.js';

/** @typedef {import('./suggestions.js').Suggestion} Suggestion */

/**
 * The key of the title above a suggestion. Groups of categories are among the categories.
 * @param {Suggestion} suggestion
 */
export function titleOf(suggestion) {
  if (suggestion.kind === 'place' && suggestion.isRecent) return 'search.recent';
  if (suggestion.kind === 'meaning' && !suggestion.place) return 'search.around';
  return `search.${suggestion.kind === 'group' ? 'category' : suggestion.kind}`;
}

/** @param {Extract<Suggestion, {kind: 'meaning'}>} meaning */
export function meaningName({ group, term, place }) {
  const kind = group?.label ?? term?.plural ?? term?.label;
  if (!place) return kind ? translate('search.meaning.here', { kind }) : translate('search.here');
  return kind ? translate('search.meaning.place', { kind, place: placeLabel(place) }) : placeLabel(place);
}

/** @param {string} key */
export function groupTitle(key) {
  return h('p', { class: 'suggestions-title', 'aria-hidden': 'true' }, translate(key));
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
    case 'group':
      return {
        symbol: icon(suggestion.term.icon ?? 'other', 'category'), name: suggestion.term.label,
        context: translate('search.category.why'),
      };
    case 'category': {
      const { term, word } = suggestion;
      return {
        symbol: icon(categoryIcon(term.code), 'category'), name: term.plural ?? term.label,
        context: word ? translate('search.category.word', { word }) : translate('search.category.why'),
      };
    }
    case 'address': {
      const { place } = suggestion;
      const kind = place.kind === 'postcode' ? translate('search.postcode') : '';
      return {
        symbol: icon('pin'), name: place.name, context: [kind, placeContext(place)].filter(Boolean).join(' · '),
      };
    }
    case 'meaning': {
      const { group, term, place, isInstead } = suggestion;
      const symbol = group ? icon(group.icon ?? 'other', 'category')
        : term ? icon(categoryIcon(term.code), 'category') : icon(place ? 'city' : 'locate');
      const context = [place && placeContext(place), isInstead && translate('search.instead')];
      return { symbol, name: meaningName(suggestion), context: context.filter(Boolean).join(' · ') };
    }
    case 'place': {
      const { place, isInstead } = suggestion;
      return {
        symbol: icon('city'), name: placeLabel(place),
        context: [placeContext(place), isInstead && translate('search.instead')].filter(Boolean).join(' · '),
      };
    }
    case 'device': {
      const device = readDevice(suggestion.feature);
      return {
        symbol: icon(categoryIcon(device.category), 'category'), name: displayName(device),
        // Shows the name in the data, which matches the typed text, if another name is displayed. Names of some lists
        // contain the operator.
        context: [isMade(device) ? device.name : label('categories', device.category), device.operator.name ?? '']
          .filter((part, place, [name]) => part && (place === 0 || !name.endsWith(part))).join(' · '),
      };
    }
    default:
      return { symbol: icon('filter'), name: translate('search.all', { words: suggestion.words }), context: '' };
  }
}
