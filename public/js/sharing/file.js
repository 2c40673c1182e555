// @ts-check
// Gives a file that the page has made to another program, or to the downloads.

import { download } from '../forms/copy.js';

/** @param {File} file */
export function canShare(file) { return navigator.canShare?.({ files: [file] }) ?? false; }

/**
 * Opens the share menu of the system; downloads the file if the system cannot share it.
 * @param {File} file @param {string} [title]
 */
export async function shareFile(file, title) {
  try {
    await navigator.share({ files: [file], title });
  } catch (error) {
    // The user cancelled.
    if (!(error instanceof DOMException && error.name === 'AbortError')) download(file, file.name);
  }
}
