// @ts-check
// Where to go on after signing in: a page of our own, or nowhere. Pure.

const ABOUT_SIGNING_IN = /^\/(sign-in|sign-up|recover|reset|confirm|confirm-email)\/?$/;
const NOT_PAGES = /^\/(api|assets|basemap|streets)(\/|$)/;

/**
 * A path of ours with its query and fragment, or null for anything that leads elsewhere.
 * @param {string | null | undefined} text as an address carries it @param {string} origin of this page
 */
export function ownPath(text, origin) {
  if (!text || text.length > 2_000 || !text.startsWith('/')) return null;
  let url;
  try {
    url = new URL(text, origin);
  } catch {
    return null;
  }
  // «//other.example» and «/\other.example» begin with a slash and lead away.
  if (url.origin !== origin || url.username || url.password) return null;
  if (ABOUT_SIGNING_IN.test(url.pathname) || NOT_PAGES.test(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
}

/**
 * What is appended to a link to signing in so that it comes back to a page.
 * @param {{pathname: string, search: string, hash: string}} place
 */
export function wayBackTo({ pathname, search, hash }) {
  const here = `${pathname}${search}${hash}`;
  if (here === '/' || ABOUT_SIGNING_IN.test(pathname)) return '';
  return `?then=${encodeURIComponent(here)}`;
}
