// @ts-check
// Caches the files of the site, visited pages, map tiles and devices, so that users can read them offline.
// A cached response during an outage has the header X-Farol-Saved.

/** @typedef {Event & Record<'waitUntil', (work: Promise<unknown>) => void>} ExtendableEvent */
/** @typedef {Record<'request', Request> & Record<'respondWith', (response: Promise<Response>) => void>} FetchEvent */
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
const ASSETS = '{{assets}}';
/** @type {string[]} */
const FILES = JSON.parse('{{precache}}');

const SHELL = `farol-shell-${ASSETS.split('/').pop()}`;
const PAGES = 'farol-pages-1';
const TILES = 'farol-tiles-1';
const WORDS = 'farol-words-1'; // settings and vocabulary, which every page needs
const DEVICES = 'farol-devices-1';
const ANSWERS = 'farol-answers-1';
/** Pages whose HTML is the same for all users. Personal data come from the interface and are not cached. */
const PAGES_KEPT = new RegExp(`^/(${[
  'about', 'terms', 'outcomes', 'statistics', 'query', 'data-requests', 'learn(/[^/]+)?', 'help', 'sign-in', 'sign-up',
  'recover', 'account', 'people/[^/]+', 'report', 'look', 'walk', 'visits', 'local-watches', 'diary', 'routes',
  'choices(/[^/]+(/letter)?)?',
  'devices/[^/]+(/(edit|history))?',
].join('|')})?$`);
/** Pages to open offline even if they were never visited. */
const FIRST_PAGES = ['/', '/about', '/statistics', '/choices', '/learn'];
/**
 * The maximum number of responses in each cache, checked with each fiftieth that is stored.
 * @type {Record<string, number>}
 */
const LIMITS = { [PAGES]: 60, [TILES]: 1_200, [WORDS]: 80, [DEVICES]: 200, [ANSWERS]: 120 };

const BETWEEN = 50;
const PATIENCE = 8_000; // milliseconds until a saved response is better than none

/**
 * Whether the cache of the site needs a file. Libraries of single pages, for instance, are left out.
 * @param {string} file
 */
const needed = (file) => !/echarts|\/ol\.|\.(png|html|txt|map)$/.test(file);
/** @param {string} file */
const address = (file) => (file.startsWith('/') ? file : `${ASSETS}/${file}`);

worker.oninstall = (/** @type {ExtendableEvent} */ event) => {
  event.waitUntil(install().then(() => worker.skipWaiting()));
};

async function install() {
  const shell = await caches.open(SHELL);
  await shell.addAll(FILES.map(address).filter(needed));
  const pages = await caches.open(PAGES);
  await Promise.all(FIRST_PAGES.map((page) => pages.add(page).catch(() => undefined)));
  await keepGiven(await pages.match('/'));
}

/**
 * Caches the responses embedded in the map page (given.js), which other pages request.
 * @param {Response | undefined} page
 */
async function keepGiven(page) {
  const [, json] = /<script type="application\/json" id="given">([^<]*)</.exec(await page?.text() ?? '') ?? [];
  if (!json) return;
  const words = await caches.open(WORDS);
  await Promise.all(Object.entries(JSON.parse(json)).map(([path, body]) => (
    words.put(path, new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })))));
}

worker.onactivate = (/** @type {ExtendableEvent} */ event) => {
  event.waitUntil((async () => {
    const keep = [SHELL, ...Object.keys(LIMITS)];
    for (const name of await caches.keys()) {
      if (name.startsWith('farol-') && !keep.includes(name)) await caches.delete(name);
    }
    await worker.clients.claim();
  })());
};

worker.onfetch = (/** @type {FetchEvent} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  const answer = route(request, url);
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
  const open = tabs.find(({ url }) => new URL(url).pathname === path);
  await (open ? open.focus() : worker.clients.openWindow(path));
}

/** @param {Request} request @param {URL} url @returns {Promise<Response> | null} */
function route(request, url) {
  const { pathname } = url;
  if (pathname.startsWith('/assets/')) return shellFirst(request);
  if (/^\/(basemap|streets|street-graphs)\//.test(pathname)) return savedFirst(request, TILES);
  if (pathname.startsWith('/api/tiles/devices/')) return networkFirst(request, TILES);
  if (request.mode === 'navigate') {
    return PAGES_KEPT.test(pathname) ? page(request, url) : null;
  }
  if (/^\/api\/(settings|street-graphs|taxonomies(\/\w+)?|tiles\/devices\.json)$/.test(pathname)) {
    return networkFirst(request, WORDS);
  }
  if (/^\/api\/collections\/devices\/items\/[^/]+(\/choices)?$/.test(pathname)) return networkFirst(request, DEVICES);
  if (/^\/api\/(places|letters|statistics|collections\/devices\/items)$/.test(pathname)) {
    return networkFirst(request, ANSWERS);
  }
  return null;
}

/**
 * For files whose address changes with their content.
 * @param {Request} request
 */
async function shellFirst(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/**
 * For the base map, which rarely changes.
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
    const saved = await (await caches.open(name)).match(request);
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
      const saved = await (await caches.open(name)).match(request);
      return saved ? marked(saved) : answer;
    }
    await keep(name, request, answer);
    return answer;
  } catch (error) {
    const saved = await (await caches.open(name)).match(request);
    if (saved) return marked(saved);
    throw error;
  }
}

/**
 * A page. Offline the cached page, or the map page if the page is not cached.
 * @param {Request} request @param {URL} url
 */
function page(request, url) {
  const plain = url.origin + url.pathname;
  return inTime(fetchedPage(request, url, plain), async () => (await caches.open(PAGES)).match(plain));
}

/** @param {Request} request @param {URL} url @param {string} plain its address in the cache */
async function fetchedPage(request, url, plain) {
  const pages = await caches.open(PAGES);
  try {
    const answer = await fetch(request);
    if (answer.status < 500) await keep(PAGES, new Request(plain), answer);
    // Without room in the cache, other pages request these responses.
    if (url.pathname === '/') keepGiven(answer.clone()).catch(() => undefined);
    return answer;
  } catch (error) {
    const saved = (await pages.match(plain)) ?? (await pages.match('/'));
    if (saved) return saved;
    throw error;
  }
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
