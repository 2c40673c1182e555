// @ts-check
// Runs before the first paint, so that the page does not flash in another theme or language.
(function () {
  try {
    var theme = localStorage.getItem('farol.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch (error) {
    // The browser refuses storage: the theme of the system applies.
  }
  // Removes the token of a mailed link from the address and the history before the first request. This tab
  // stores it, so that a reload does not lose it.
  var takesToken = /^\/(confirm|confirm-email|reset|reply|operator\/check|unsubscribe)$/.test(location.pathname);
  var token = takesToken && /^#token=([\w-]{20,200})$/.exec(location.hash);
  if (token) {
    history.replaceState(null, '', location.pathname + location.search);
    try {
      sessionStorage.setItem('farol.token.' + location.pathname, token[1]);
    } catch (error) {
      // The browser refuses storage: the token lasts until a reload.
      /** @type {{farolToken?: string}} */ (globalThis).farolToken = token[1];
    }
  }
  var script = /** @type {HTMLScriptElement} */ (document.currentScript);
  var list = document.querySelector('meta[name="farol-files"]');
  /** @type {Record<string, string>} */
  var files = JSON.parse((list && list.getAttribute('content')) || '{}');
  /**
   * The address of a file, as in files.js.
   * @param {string} path
   */
  function address(path) {
    return files[path] || new URL('../' + path, script.src).href;
  }
  var kept = null;
  try {
    kept = localStorage.getItem('farol.language');
  } catch (error) {
    // The browser refuses storage: the language of the browser applies.
  }
  var here = new URL(location.href);
  var root = document.documentElement;
  // The server renders a page in the language of the browser. A language chosen on this site has priority.
  var isChosen = kept !== null && /^(en|pt)$/.test(kept) && kept !== root.lang && !here.searchParams.has('lang');
  if (root.dataset.words === 'server' && isChosen) {
    here.searchParams.set('lang', String(kept));
    location.replace(here);
  }
  // Requests the catalogue now: the script that needs it is still loading itself. The order is the same as in
  // i18n.js: the address, the choice on this site, the language that the server read from the browser.
  var language = [here.searchParams.get('lang'), kept, root.lang]
    .map(function (choice) { return (choice || '').slice(0, 2).toLowerCase(); })
    .find(function (code) { return code === 'en' || code === 'pt'; });
  // The map page contains its words in the language that the server read from the browser.
  var isGiven = root.hasAttribute('data-words-given') && language === root.lang;
  if (language && !isGiven) {
    var words = document.createElement('link');
    words.rel = 'preload';
    words.as = 'fetch';
    words.crossOrigin = 'anonymous';
    var part = 'words/' + root.dataset.wordsOf + '.' + language + '.json';
    words.href = address(part in files ? part : 'locale/' + language + '.json');
    document.head.append(words);
  }
  // On a first visit the place where the map page opens is not known yet.
  if (root.dataset.wordsOf === 'main' && !/[#&]map=/.test(location.hash)) {
    try {
      kept = localStorage.getItem('farol.view');
    } catch (error) {
      kept = null; // The browser refuses storage: every visit is the first.
    }
    if (!kept) {
      var visit = document.createElement('script');
      /** @type {{farolVisit?: Promise<unknown>}} */ (globalThis).farolVisit = new Promise(function (resolve) {
        visit.addEventListener('load', resolve);
        visit.addEventListener('error', resolve);
      });
      visit.src = address('js/first-visit.js');
      document.head.append(visit);
    }
  }
  root.classList.add('has-script');

  // The oldest supported browsers: Chrome and Edge 111, Firefox 121, Safari 16.4 (docs/reference/browsers.md).
  var isOld = !HTMLScriptElement.supports || !HTMLScriptElement.supports('importmap') || !window.CSS ||
    !CSS.supports('selector(:has(a))') || !CSS.supports('color', 'color-mix(in srgb, red, red)');
  if (isOld) addEventListener('DOMContentLoaded', function () { say('old'); });

  // Errors that no script expects: a sentence for the reader, and a count of the kind for the operator.
  /** @type {Record<string, boolean>} */
  var said = {};
  /** @param {'error' | 'rejection' | 'file'} kind */
  function count(kind) {
    if (said[kind]) return;
    said[kind] = true;
    fetch('/api/page-errors?kind=' + kind, { method: 'POST', credentials: 'omit', referrerPolicy: 'no-referrer' })
      .catch(function () { /* The count is not important. */ });
  }
  /** @param {'updated' | 'unexpected' | 'old'} what */
  function say(what) {
    var text = function (/** @type {string} */ name) {
      var meta = document.querySelector('meta[name="farol-' + name + '"]');
      return (meta && meta.getAttribute('content')) || '';
    };
    if (!text(what) || document.querySelector('.unexpected')) return;
    var box = document.createElement('div');
    var words = document.createElement('p');
    var button = document.createElement('button');
    box.className = 'unexpected';
    button.className = 'notice-button';
    box.setAttribute('role', 'alert');
    button.type = 'button';
    button.textContent = text('reload');
    button.addEventListener('click', function () {
      dispatchEvent(new Event('before-reload')); // page/typed.js keeps what was typed
      location.reload();
    });
    box.append(words);
    if (what !== 'old') box.append(button);
    document.body.append(box);
    // After screen readers know the region.
    setTimeout(function () { words.textContent = text(what); }, 100);
  }
  /** Shows that files of this page are missing, unless the server does not respond at all. */
  function missing() {
    fetch('/healthz', { cache: 'no-store', credentials: 'omit' }).then(function (answer) {
      if (!answer.ok) throw new Error('outage');
      count('file');
      say('updated');
    }).catch(function () { dispatchEvent(new Event('server-missing')); });
  }
  addEventListener('files-missing', missing);
  addEventListener('error', function (event) {
    var file = event.target;
    if (file instanceof HTMLScriptElement) {
      if (/\/assets\//.test(file.src)) missing();
    } else if (file instanceof HTMLLinkElement) {
      if (file.rel === 'stylesheet' && /\/assets\//.test(file.href)) missing();
    } else if (event.error && event.filename && new URL(event.filename).origin === location.origin) {
      count('error');
      say('unexpected');
    }
  }, true);
  addEventListener('unhandledrejection', function (event) {
    var name = event.reason && event.reason.name;
    // The reader knows about these.
    if (name === 'Stale') event.preventDefault();
    if (/^(AbortError|Outage|Stale)$/.test(name)) return;
    count('rejection');
    say('unexpected');
  });
})();
