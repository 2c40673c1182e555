// @ts-check
// Enhances the learning pages: definitions open in place, and the glossary has a search field.

import { Outage } from '../api.js';
import { glossaryWords } from '../glossary/definition.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { glossarySearch } from './search.js';

async function start() {
  await startShell();
  glossarySearch();
  await definitions();
}

/** Links to glossary terms open the definition in place. Until the glossary is loaded they stay links. */
async function definitions() {
  const links = document.querySelectorAll('a[data-term]');
  if (!links.length) return;
  try {
    await scheme('glossary');
  } catch (error) {
    if (error instanceof Outage) return;
    throw error;
  }
  for (const link of links) {
    const words = glossaryWords(link.getAttribute('data-term') ?? '', link.textContent ?? '');
    if (words) link.replaceWith(words);
  }
}

start();
