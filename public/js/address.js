// @ts-check
// Keeps the address bar and the state of the page the same, both ways.

import { decodeState, encodeState } from './state.js';

/** @typedef {import('./state.js').Store} Store */

/** @param {Store} store */
export function keepAddress(store) {
  store.subscribe((state, _, how) => {
    if (how === 'travel') return;
    const lang = new URLSearchParams(location.search).get('lang');
    // Where one looks for a place is nobody's business, the browser's history included.
    const { view } = state.adding ? decodeState(location.search, location.hash) : state;
    const address = withLanguage(encodeState({ ...state, view }), lang);
    if (how === 'push') history.pushState(null, '', address);
    // Replacing an address by itself would stop a step back that is under way.
    else if (new URL(address, location.href).href !== location.href) history.replaceState(history.state, '', address);
  });
  addEventListener('popstate', () => {
    const state = decodeState(location.search, location.hash);
    store.update({ ...state, view: state.view ?? store.current.view }, 'travel');
  });
}

/**
 * A language asked for in the address stays there.
 * @param {string} address @param {string | null} lang
 */
export function withLanguage(address, lang) {
  if (!lang || !/^[a-z-]{2,5}$/i.test(lang)) return address;
  const [path, hash] = address.split('#');
  const query = `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`;
  return hash ? `${query}#${hash}` : query;
}
