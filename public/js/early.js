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
  // A page that the server wrote comes in the language of the browser; who chose another here gets that.
  if (document.documentElement.dataset.words === 'server') {
    try {
      var language = localStorage.getItem('farol.language');
      var address = new URL(location.href);
      if (language && /^(en|pt)$/.test(language) && language !== document.documentElement.lang && !address.searchParams.has('lang')) {
        address.searchParams.set('lang', language);
        location.replace(address);
      }
    } catch (error) {
      // Storage refused: the browser's language it is.
    }
  }
  document.documentElement.classList.add('has-script');
})();
