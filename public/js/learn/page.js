// @ts-check
// What scripts add to the pages one learns from: definitions in place, the search of the glossary.

import { Outage } from '../api.js';
import { glossaryWords } from '../glossary/definition.js';
import { startShell } from '../page/shell.js';
import { scheme } from '../taxonomies.js';
import { glossarySearch } from './search.js';

async function start() {
  await startShell();
  glossarySearch();
  await definitions();
}

/** Links to words of the glossary open them in place; without the glossary they stay links. */
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
