// @ts-check
// Keeps the shell of the page, the tiles and the devices that were seen, so that they can be read
// offline. What comes from here while the server is out of reach says so: X-Farol-Saved.

const worker = /** @type {any} */ (self);
const ASSETS = '{{assets}}';
/** @type {string[]} */
const FILES = JSON.parse('{{precache}}');

const SHELL = `farol-shell-${ASSETS.split('/').pop()}`;
const PAGES = 'farol-pages-1';
const TILES = 'farol-tiles-1';
const WORDS = 'farol-words-1'; // settings and taxonomies, which every page needs
const DEVICES = 'farol-devices-1';
const ANSWERS = 'farol-answers-1';
/** Pages that are the same for everybody; what is one person's own comes from the interface and is not kept. */
const PAGES_KEPT = /^\/(about|terms|outcomes|statistics|data-requests|learn(\/[^/]+)?|sign-in|sign-up|recover|account|people\/[^/]+|report|choices(\/[^/]+(\/letter)?)?|devices\/[^/]+(\/(edit|history))?)?$/;
/**
 * How many of each are kept.
 * @type {Record<string, number>}
 */
const LIMITS = { [PAGES]: 60, [TILES]: 1_200, [WORDS]: 80, [DEVICES]: 200, [ANSWERS]: 120 };

/**
 * What only a page of its own needs.
 * @param {string} file
 */
const needed = (file) => !/echarts|\/ol\.|\.(png|html|txt|map)$/.test(file);
/** @param {string} file */
const address = (file) => (file.startsWith('/') ? file : `${ASSETS}/${file}`);

worker.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(install().then(() => worker.skipWaiting()));
});

async function install() {
  const shell = await caches.open(SHELL);
  await shell.addAll(FILES.map(address).filter(needed));
  const pages = await caches.open(PAGES);
  await Promise.all(['/', '/about'].map((page) => pages.add(page).catch(() => undefined)));
  await keepGiven(await pages.match('/'));
}

/**
 * The map's page brings answers along (given.js), which other pages ask for.
 * @param {Response | undefined} page
 */
async function keepGiven(page) {
  const [, json] = /<script type="application\/json" id="given">([^<]*)</.exec(await page?.text() ?? '') ?? [];
  if (!json) return;
  const words = await caches.open(WORDS);
  await Promise.all(Object.entries(JSON.parse(json)).map(([path, body]) => (
    words.put(path, new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })))));
}

worker.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil((async () => {
    const keep = [SHELL, ...Object.keys(LIMITS)];
    for (const name of await caches.keys()) {
      if (name.startsWith('farol-') && !keep.includes(name)) await caches.delete(name);
    }
    await worker.clients.claim();
  })());
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  const answer = route(request, url);
  if (answer) event.respondWith(answer);
});

/** @param {Request} request @param {URL} url @returns {Promise<Response> | null} */
function route(request, url) {
  const { pathname } = url;
  if (pathname.startsWith('/assets/')) return shellFirst(request);
  if (pathname.startsWith('/basemap/') || pathname.startsWith('/streets/')) return savedFirst(request, TILES);
  if (pathname.startsWith('/api/tiles/devices/')) return networkFirst(request, TILES);
  if (request.mode === 'navigate') {
    return PAGES_KEPT.test(pathname) ? page(request, url) : null;
  }
  if (/^\/api\/(settings|taxonomies(\/\w+)?|tiles\/devices\.json)$/.test(pathname)) return networkFirst(request, WORDS);
  if (/^\/api\/collections\/devices\/items\/[^/]+(\/choices)?$/.test(pathname)) return networkFirst(request, DEVICES);
  if (/^\/api\/(places|letters|statistics|collections\/devices\/items)$/.test(pathname)) return networkFirst(request, ANSWERS);
  return null;
}

/**
 * Files whose address changes with their content.
 * @param {Request} request
 */
async function shellFirst(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/**
 * The base map hardly ever changes: what was seen is shown at once.
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
async function networkFirst(request, name) {
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
 * A page; offline the saved one, or the page of the map for one that was never seen.
 * @param {Request} request @param {URL} url
 */
async function page(request, url) {
  const pages = await caches.open(PAGES);
  const plain = url.origin + url.pathname;
  try {
    const answer = await fetch(request);
    if (answer.status < 500) await keep(PAGES, new Request(plain), answer);
    if (url.pathname === '/') keepGiven(answer.clone()).catch(() => undefined); // no room: they are asked for
    return answer;
  } catch (error) {
    const saved = (await pages.match(plain)) ?? (await pages.match('/'));
    if (saved) return saved;
    throw error;
  }
}

/** @param {string} name @param {Request} request @param {Response} answer */
async function keep(name, request, answer) {
  if (answer.status !== 200 && answer.status !== 204) return;
  // What is for one reader only (a session, a true place, a hidden device) is never kept.
  if (/no-store|private/.test(answer.headers.get('Cache-Control') ?? '')) return;
  try {
    const cache = await caches.open(name);
    await cache.put(request, answer.status === 204 ? new Response(null, { status: 200, headers: answer.headers }) : answer.clone());
    const keys = await cache.keys();
    const over = keys.length - LIMITS[name];
    if (over > 0) await Promise.all(keys.slice(0, over + 20).map((/** @type {Request} */ key) => cache.delete(key)));
  } catch {
    // No room left: the page works, only not offline.
  }
}

/** @param {Response} saved */
function marked(saved) {
  const headers = new Headers(saved.headers);
  headers.set('X-Farol-Saved', 'true');
  return new Response(saved.body, { status: saved.status, headers });
}
