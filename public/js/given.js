// @ts-check
// Answers of the interface that came with the page, so that nobody has to ask for them.

/** @type {Record<string, any> | undefined} */
let answers;

/**
 * The answer to a question to the interface, as it was when the page was sent; nothing where the page brought none.
 * @param {string} path with its query
 */
export function given(path) {
  answers ??= read();
  return answers[path];
}

/** @returns {Record<string, any>} */
function read() {
  try {
    return JSON.parse(document.querySelector('script#given')?.textContent ?? '{}');
  } catch {
    return {}; // a page that broke off on its way: what it lacks is asked for
  }
}
