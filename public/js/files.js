// @ts-check
// The addresses of files of this site. Each built file has a name with a hash of its content, which the page lists.
// Without a build, all files of `public` are below one address.

/** @typedef {Record<string, string | undefined> & Record<`${string} and imports`, string[] | undefined>} Addresses */

/** @type {Addresses | undefined} */
let addresses;

function listed() {
  if (!addresses) {
    const list = 'document' in globalThis && document.querySelector('meta[name="farol-files"]');
    const text = list && list.getAttribute('content');
    addresses = /** @type {Addresses} */ (text ? JSON.parse(text) : {});
  }
  return addresses;
}

/**
 * The address of a file that a page loads while it runs.
 * @param {string} path below `public`, such as «vendor/term-icons.svg». The build finds the path in quotes.
 */
export function fileAddress(path) {
  return listed()[path] ?? new URL(`../${path}`, import.meta.url).href;
}

/**
 * Asks for a module and what it imports, at low priority. Otherwise its imports are known only when it has arrived, and
 * a library that starts meanwhile delays them further.
 * @param {string} path below `public`, of a module that the page imports with `soon`
 */
export function expectModule(path) {
  for (const href of listed()[`${path} and imports`] ?? [fileAddress(path)]) {
    const link = document.createElement('link');
    document.head.append(Object.assign(link, { rel: 'modulepreload', href, fetchPriority: 'low' }));
  }
}

/**
 * Whether the build made a file that `public` does not contain.
 * @param {string} path
 */
export function isBuilt(path) {
  return path in listed();
}
