// @ts-check
// Synchronises the address bar with the state of the page, in both directions.

import { decodeState, encodeState } from './state.js';

/** @typedef {import('./state.js').Store} Store */

/** @param {Store} store */
export function keepAddress(store) {
  store.subscribe((state, _, how) => {
    if (how === 'travel') return;
    const lang = new URLSearchParams(location.search).get('lang');
    // While a user adds a device, the history of the browser must not reveal where the user looks.
    const { view } = state.adding ? decodeState(location.search, location.hash) : state;
    const address = withLanguage(encodeState({ ...state, view }), lang);
    if (how === 'push') history.pushState(null, '', address);
    // Replacing the address with itself would cancel a step back in progress.
    else if (new URL(address, location.href).href !== location.href) history.replaceState(history.state, '', address);
  });
  addEventListener('popstate', () => {
    const state = decodeState(location.search, location.hash);
    store.update({ ...state, view: state.view ?? store.current.view }, 'travel');
  });
}

/**
 * Keeps the language parameter of the address.
 * @param {string} address @param {string | null} lang
 */
export function withLanguage(address, lang) {
  if (!lang || !/^[a-z-]{2,5}$/i.test(lang)) return address;
  const [path, hash] = address.split('#');
  const query = `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`;
  return hash ? `${query}#${hash}` : query;
}
