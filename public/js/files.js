// @ts-check
// The addresses of files of this site. Each built file has a name with a hash of its content, and the page lists them. A
// server that runs unbuilt has the files of `public` below one address.

/** @type {Record<string, string> | undefined} */
let addresses;

function listed() {
  if (!addresses) {
    const list = 'document' in globalThis && document.querySelector('meta[name="farol-files"]')?.getAttribute('content');
    addresses = /** @type {Record<string, string>} */ (list ? JSON.parse(list) : {});
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
 * Whether the build made a file that `public` does not contain.
 * @param {string} path
 */
export function isBuilt(path) {
  return path in listed();
}
