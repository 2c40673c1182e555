// @ts-check
// The page to return to after signing in. Only pages of this site are valid. Pure functions.

const ABOUT_SIGNING_IN = /^\/(sign-in|sign-up|recover|reset|confirm|confirm-email)\/?$/;
const NOT_PAGES = /^\/(api|assets|basemap|streets)(\/|$)/;

/**
 * The path with query and fragment if it is a page of this site, otherwise null.
 * @param {string | null | undefined} text from the address @param {string} origin of this page
 */
export function ownPath(text, origin) {
  if (!text || text.length > 2_000 || !text.startsWith('/')) return null;
  let url;
  try {
    url = new URL(text, origin);
  } catch {
    return null;
  }
  // «//other.example» and «/\other.example» start with a slash but lead to another site.
  if (url.origin !== origin || url.username || url.password) return null;
  if (ABOUT_SIGNING_IN.test(url.pathname) || NOT_PAGES.test(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
}

/**
 * The query of a link to the sign-in page, with the page to return to.
 * @param {{pathname: string, search: string, hash: string}} place
 */
export function wayBackTo({ pathname, search, hash }) {
  const here = `${pathname}${search}${hash}`;
  if (here === '/' || ABOUT_SIGNING_IN.test(pathname)) return '';
  return `?then=${encodeURIComponent(here)}`;
}
