// @ts-check
// The addresses of files of this site. Each built file has a name with a hash of its content, which the page lists.
// Without a build, all files of `public` are below one address.

/** @type {Record<string, string | undefined> | undefined} */
let addresses;

function listed() {
  if (!addresses) {
    const list = 'document' in globalThis && document.querySelector('meta[name="farol-files"]');
    const text = list && list.getAttribute('content');
    addresses = text ? JSON.parse(text) : {};
  }
  return /** @type {Record<string, string | undefined>} */ (addresses);
}

/**
 * The address of a file that a page loads while it runs.
 * @param {string} path below `public`, such as «vendor/term-icons.svg». The build finds the path in quotes.
 */
export function fileAddress(path) {
  return listed()[path] ?? new URL(`../${path}`, import.meta.url).href;
}

/**
 * Whether the build made a file that `public` does not contain.
 * @param {string} path
 */
export function isBuilt(path) {
  return path in listed();
}
