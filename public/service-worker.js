// @ts-check
// Caches the files of the site, visited pages, map tiles and devices, so that users can read them offline.
// A cached response during an outage has the header X-Farol-Saved.

/** @typedef {Event & Record<'waitUntil', (work: Promise<unknown>) => void>} ExtendableEvent */
/**
 * @typedef {ExtendableEvent & Record<'request', Request> &
 *   Record<'respondWith', (response: Promise<Response>) => void>} FetchEvent
 */
/**
 * @typedef {object} Clients
 * @property {() => Promise<void>} claim
 * @property {(options: {type: 'window'}) => Promise<WindowClient[]>} matchAll
 * @property {(url: string) => Promise<WindowClient | null>} openWindow
 */
/**
 * @typedef {object} WindowClient
 * @property {string} url
 * @property {() => Promise<WindowClient>} focus
 */
/** @typedef {ExtendableEvent & {notification: {data: {path: string}, close: () => void}}} NotificationEvent */
/**
 * The part of the global scope of a service worker that this script uses. TypeScript cannot check a script
 * against its library for windows and its library for workers at once.
 * @typedef {object} WorkerScope
 * @property {() => Promise<void>} skipWaiting
 * @property {Clients} clients
 * @property {((event: ExtendableEvent) => void) | null} oninstall
 * @property {((event: ExtendableEvent) => void) | null} onactivate
 * @property {((event: FetchEvent) => void) | null} onfetch
 * @property {((event: NotificationEvent) => void) | null} onnotificationclick
 */

const worker = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));
const RELEASE = '{{release}}';
/**
 * The addresses of files that pages need offline before they are visited.
 * @type {string[]}
 */
const FILES = JSON.parse('{{precache}}');

// Each release has a cache with its pages and one with all files that they name. Both are dropped together.
const SHELL = 'farol-shell-';
const PAGES = 'farol-pages-';
const FORMER = 2; // releases whose visited pages are still readable offline
const MOST_PAGES = 60; // of a release
const TILES = 'farol-tiles-1';
const WORDS = 'farol-words-1'; // settings and vocabulary, which every page needs
const DEVICES = 'farol-devices-1';
const ANSWERS = 'farol-answers-1';
/** Pages whose HTML is the same for all users. Personal data come from the interface and are not cached. */
const PAGES_KEPT = new RegExp(`^/(${[
  'about', 'terms', 'outcomes', 'statistics', 'query', 'data-requests', 'learn(/[^/]+)?', 'help', 'sign-in', 'sign-up',
  'recover', 'account', 'people/[^/]+', 'report', 'look', 'walk', 'visits', 'local-watches', 'diary', 'routes',
  'choices(/[^/]+(/letter)?)?', 'operators(/named/[^/]+)?', 'places/[^/]+', 'mapping-days', 'watches',
  'devices/[^/]+(/(edit|history))?',
].join('|')})?$`);
/** Pages to open offline even if they were never visited. */
const FIRST_PAGES = ['/', '/about', '/statistics', '/choices', '/learn'];
/**
 * The maximum number of responses in each cache, checked with each fiftieth that is stored.
 * @type {Record<string, number>}
 */
const LIMITS = { [TILES]: 1_200, [WORDS]: 80, [DEVICES]: 200, [ANSWERS]: 120 };

const BETWEEN = 50;
const PATIENCE = 8_000; // milliseconds until a saved response is better than none

worker.oninstall = (/** @type {ExtendableEvent} */ event) => {
  event.waitUntil(install().then(() => worker.skipWaiting()));
};

async function install() {
  const shell = await caches.open(SHELL + RELEASE);
  await Promise.all(FILES.map((file) => keepFile(shell, file)));
  await Promise.all(FIRST_PAGES.map((path) => (
    fetch(path).then((answer) => keepPage(location.origin + path, answer)).catch(() => undefined))));
  await keepGiven(await savedPage(`${location.origin}/`));
}

/**
 * Stores a file of a release. A file that has not changed comes from the cache of another release.
 * @param {Cache} shell @param {string} file its address
 */
async function keepFile(shell, file) {
  if (await shell.match(file)) return;
  const answer = (await caches.match(file)) ?? await fetch(file);
  if (!answer.ok) throw new TypeError(`There is no file ${file}`);
  await shell.put(file, answer);
}

/**
 * Stores a page and all files that it names with its release, and deletes the same page of other releases. The page
 * comes last: without its files it would be useless.
 * @param {string} address @param {Response} answer
 */
async function keepPage(address, answer) {
  if (answer.status !== 200 || /no-store|private/.test(answer.headers.get('Cache-Control') ?? '')) return;
  const text = await answer.clone().text();
  const [, release] = /<meta name="farol-release" content="([\w-]+)"/.exec(text) ?? [];
  if (!release) return;
  const shell = await caches.open(SHELL + release);
  const named = new Set([...text.matchAll(/(?:"|&quot;)(\/assets\/[^"&]+)/g)].map(([, file]) => file));
  const needed = [...named].filter((file) => !/\/echarts|\.png$/.test(file));
  await Promise.all(needed.map((file) => keepFile(shell, file)));
  const pages = await caches.open(PAGES + release);
  await pages.put(address, answer);
  const kept = await pages.keys();
  for (const page of kept.slice(0, Math.max(0, kept.length - MOST_PAGES))) await pages.delete(page);
  for (const other of await releases()) {
    if (other !== release) await (await caches.open(PAGES + other)).delete(address);
  }
  await dropReleases(release);
}

/** The releases with files here, the newest first. */
async function releases() {
  const names = await caches.keys();
  return names.filter((name) => name.startsWith(SHELL)).map((name) => name.slice(SHELL.length)).reverse();
}

/**
 * Drops former releases that have no pages here, and all but the newest ones.
 * @param {string} [inUse] a release that stays
 */
async function dropReleases(inUse = RELEASE) {
  const former = (await releases()).filter((release) => release !== RELEASE && release !== inUse);
  for (const [place, release] of former.entries()) {
    const pages = await caches.open(PAGES + release);
    if (place < FORMER && (await pages.keys()).length) continue;
    await Promise.all([caches.delete(PAGES + release), caches.delete(SHELL + release)]);
  }
}

/**
 * Caches the responses embedded in the map page (given.js), which other pages request.
 * @param {Response | undefined} page
 */
async function keepGiven(page) {
  const [, json] = /<script type="application\/json" id="given">([^<]*)</.exec(await page?.text() ?? '') ?? [];
  if (!json) return;
  const words = await caches.open(WORDS);
  const answers = Object.entries(JSON.parse(json)).filter(([path]) => path.startsWith('/api/'));
  await Promise.all(answers.map(([path, body]) => (
    words.put(path, new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })))));
}

worker.onactivate = (/** @type {ExtendableEvent} */ event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      const isOfRelease = name.startsWith(SHELL) || name.startsWith(PAGES);
      if (name.startsWith('farol-') && !isOfRelease && !(name in LIMITS)) await caches.delete(name);
    }
    const known = await releases();
    for (const name of await caches.keys()) {
      if (name.startsWith(PAGES) && !known.includes(name.slice(PAGES.length))) await caches.delete(name);
    }
    await dropReleases();
    await worker.clients.claim();
  })());
};

worker.onfetch = (/** @type {FetchEvent} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  const answer = route(event, request, url);
  if (answer) event.respondWith(answer);
};

// Chrome for Android shows the notifications of pages through this script.
worker.onnotificationclick = (/** @type {NotificationEvent} */ event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.data.path));
};

/**
 * The page that a notification is about, in a tab that has it or in a new one.
 * @param {string} path
 */
async function showPage(path) {
  const tabs = await worker.clients.matchAll({ type: 'window' });
  const { pathname } = new URL(path, self.location.href);
  const open = tabs.find(({ url }) => new URL(url).pathname === pathname);
  await (open ? open.focus() : worker.clients.openWindow(path));
}

/** @param {FetchEvent} event @param {Request} request @param {URL} url @returns {Promise<Response> | null} */
function route(event, request, url) {
  const { pathname } = url;
  if (pathname.startsWith('/assets/')) return releaseFirst(request);
  if (/^\/(basemap|streets|street-graphs)\//.test(pathname)) return savedFirst(request, TILES);
  if (pathname.startsWith('/api/tiles/devices/')) return networkFirst(request, TILES);
  if (request.mode === 'navigate') {
    if (pathname.startsWith('/api/')) return null;
    return PAGES_KEPT.test(pathname) ? page(event, request, url) : otherPage(request);
  }
  if (/^\/api\/(settings|street-graphs|taxonomies(\/\w+)?|tiles\/devices\.json)$/.test(pathname)) {
    return networkFirst(request, WORDS);
  }
  if (/^\/api\/collections\/devices\/items\/[^/]+(\/choices)?$/.test(pathname)) return networkFirst(request, DEVICES);
  if (/^\/api\/(places(\/\d+(\/border)?)?|operators(\/named(\/[^/]+)?)?|mapping-days)$/.test(pathname)
    || /^\/api\/(letters|statistics|collections\/devices\/items)$/.test(pathname)) {
    return networkFirst(request, ANSWERS);
  }
  return null;
}

/**
 * For files whose address changes with their content, whatever their release is.
 * @param {Request} request
 */
async function releaseFirst(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/**
 * For tiles of maps, whose address changes with their content.
 * @param {Request} request @param {string} name
 */
async function savedFirst(request, name) {
  const saved = await (await caches.open(name)).match(request);
  if (saved) return saved;
  const answer = await fetch(request);
  await keep(name, request, answer);
  return answer;
}

/** @param {Request} request @param {string} name */
function networkFirst(request, name) {
  return inTime(fetched(request, name), async () => {
    const saved = await savedAnswer(request, name);
    return saved && marked(saved);
  });
}

/**
 * The response of the server, or the saved one if the server takes long, as on a weak network.
 * @param {Promise<Response>} answer @param {() => Promise<Response | undefined>} saved
 * @returns {Promise<Response>}
 */
function inTime(answer, saved) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(async () => {
      const found = await saved().catch(() => undefined);
      if (found) resolve(found);
    }, PATIENCE);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** @param {Request} request @param {string} name */
async function fetched(request, name) {
  try {
    const answer = await fetch(request);
    if ([502, 503, 504].includes(answer.status)) {
      const saved = await savedAnswer(request, name);
      return saved ? marked(saved) : answer;
    }
    await keep(name, request, answer);
    return answer;
  } catch (error) {
    const saved = await savedAnswer(request, name);
    if (saved) return marked(saved);
    throw error;
  }
}

/**
 * The stored response to a request, or to the same request about nearly the same box: a map that opens at its last view
 * differs by the rounding of the view.
 * @param {Request} request @param {string} name
 */
async function savedAnswer(request, name) {
  const cache = await caches.open(name);
  const saved = await cache.match(request);
  const wanted = boxed(request.url);
  if (saved || !wanted) return saved;
  const [west, south, east, north] = wanted.box;
  const near = Math.max(east - west, north - south) / 20;
  const keys = (await cache.keys()).filter(({ url }) => {
    const other = boxed(url);
    return other?.rest === wanted.rest
      && other.box.every((edge, place) => Math.abs(edge - wanted.box[place]) <= near);
  });
  return keys.length ? cache.match(keys[keys.length - 1]) : undefined;
}

/**
 * The box of a request, and the request without it; null without a box.
 * @param {string} address
 */
function boxed(address) {
  const url = new URL(address);
  const box = (url.searchParams.get('bbox') ?? '').split(',').map(Number);
  url.searchParams.delete('bbox');
  url.searchParams.delete('near'); // the middle of the box
  return box.length === 4 && box.every(Number.isFinite) ? { box, rest: url.href } : null;
}

/**
 * A page. Offline the cached page, or the map page if the page is not cached.
 * @param {FetchEvent} event @param {Request} request @param {URL} url
 */
function page(event, request, url) {
  const plain = url.origin + url.pathname;
  return inTime(fetchedPage(event, request, url, plain), () => savedPage(plain));
}

/**
 * @param {FetchEvent} event @param {Request} request @param {URL} url @param {string} plain its address in the cache
 */
async function fetchedPage(event, request, url, plain) {
  try {
    const answer = await fetch(request);
    // Its files are still on their way to the page. This copy may come later.
    event.waitUntil(keepPage(plain, answer.clone()).catch(() => undefined));
    // Without room in the cache, other pages request these responses.
    if (url.pathname === '/') keepGiven(answer.clone()).catch(() => undefined);
    return answer;
  } catch (error) {
    const saved = (await savedPage(plain)) ?? (await savedPage(`${location.origin}/`));
    if (saved) return saved;
    throw error;
  }
}

/**
 * A page that is not stored, because it is for one user or rarely read. Offline the map page says so.
 * @param {Request} request
 */
async function otherPage(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const saved = await savedPage(`${location.origin}/`);
    if (saved) return saved;
    throw error;
  }
}

/**
 * A stored page, of this release if possible.
 * @param {string} address
 */
async function savedPage(address) {
  for (const release of [RELEASE, ...await releases()]) {
    const saved = await (await caches.open(PAGES + release)).match(address);
    if (saved) return saved;
  }
  return undefined;
}

/**
 * Responses stored in each cache since this script started.
 * @type {Record<string, number>}
 */
const stored = {};

/** @param {string} name @param {Request} request @param {Response} answer */
async function keep(name, request, answer) {
  if (answer.status !== 200 && answer.status !== 204) return;
  // Responses for one user only (a session, a true position, a hidden device) are never cached.
  if (/no-store|private/.test(answer.headers.get('Cache-Control') ?? '')) return;
  try {
    const cache = await caches.open(name);
    const isEmpty = answer.status === 204;
    await cache.put(request, isEmpty ? new Response(null, { status: 200, headers: answer.headers }) : answer.clone());
    stored[name] = (stored[name] ?? 0) + 1;
    if (stored[name] % BETWEEN !== 1) return;
    const keys = await cache.keys();
    const over = keys.length - LIMITS[name];
    if (over > 0) await Promise.all(keys.slice(0, over + 20).map((key) => cache.delete(key)));
  } catch {
    // The cache is full: the page works, but not offline.
  }
}

/** @param {Response} saved */
function marked(saved) {
  const headers = new Headers(saved.headers);
  headers.set('X-Farol-Saved', 'true');
  return new Response(saved.body, { status: saved.status, headers });
}
