// @ts-check
// Why a page needs an account, judged by the page to return to after signing in. Pure.

/** @type {readonly [pattern: RegExp, key: string][]} */
const REASONS = [
  [/^\/devices\/[^/?#]+\?(.*&)?say=/, 'account.why.say'],
  [/^\/devices\/[^/?#]+\/(edit|history)([?#]|$)/, 'account.why.edit'],
  [/^\/devices\/[^/?#]+#section-photos$/, 'account.why.photo'],
  [/^\/\?(.*&)?add=/, 'account.why.add'],
  [/^\/watches([?#]|$)/, 'account.why.watches'],
  [/^\/lists([/?#]|$)/, 'account.why.lists'],
  [/^\/data-requests([?#]|$)/, 'account.why.records'],
];

/**
 * @param {string | null} path page to return to
 * @returns {string | null} key of a sentence; null where the page explains itself
 */
export function whySignIn(path) {
  return REASONS.find(([pattern]) => pattern.test(path ?? ''))?.[1] ?? null;
}
