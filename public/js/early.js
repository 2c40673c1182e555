// Runs before the page is drawn, so that a chosen theme and language never flash.
(function () {
  try {
    var theme = localStorage.getItem('farol.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch (error) {
    // Storage refused: the system's theme it is.
  }
  // The key of a mailed link leaves the address and the history before anything else is asked for. It
  // stays in this tab, so that a reload does not lose it.
  var token = /^\/(confirm|confirm-email|reset|reply|operator\/check)$/.test(location.pathname) && /^#token=([\w-]{20,200})$/.exec(location.hash);
  if (token) {
    history.replaceState(null, '', location.pathname + location.search);
    try {
      sessionStorage.setItem('farol.token.' + location.pathname, token[1]);
    } catch (error) {
      globalThis.farolToken = token[1]; // Storage refused: it lasts until a reload.
    }
  }
  var kept = null;
  try {
    kept = localStorage.getItem('farol.language');
  } catch (error) {
    // Storage refused: the browser's language it is.
  }
  var address = new URL(location.href);
  // A page that the server wrote comes in the language of the browser; who chose another here gets that.
  if (document.documentElement.dataset.words === 'server' && kept && /^(en|pt)$/.test(kept) && kept !== document.documentElement.lang && !address.searchParams.has('lang')) {
    address.searchParams.set('lang', kept);
    location.replace(address);
  }
  // The words are asked for now rather than by the script that needs them, which is on its way itself.
  // As in i18n.js: asked for, chosen, then as the server read it from the browser.
  var language = [address.searchParams.get('lang'), kept, document.documentElement.lang]
    .map(function (choice) { return (choice || '').slice(0, 2).toLowerCase(); })
    .find(function (code) { return code === 'en' || code === 'pt'; });
  if (language) {
    var words = document.createElement('link');
    words.rel = 'preload';
    words.as = 'fetch';
    words.crossOrigin = 'anonymous';
    words.href = new URL('../locale/' + language + '.json', /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
    document.head.append(words);
  }
  document.documentElement.classList.add('has-script');
})();
