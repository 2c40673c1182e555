// @ts-check
// The facts about one import, and what has happened to its devices since.

import { h } from '../dom.js';
import { formatNumber, locale } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { safeLink } from '../links.js';
import { moment } from '../moderation/detail.js';
import { bytes } from './figures.js';

/** @typedef {import('../mapping/report.js').ImportRun} ImportRun */
/** @typedef {import('./import-devices.js').OnMap} OnMap */
/** @typedef {{name?: string, licence?: string, attribution?: string, url?: string}} Source */

/**
 * A part of the page with a heading.
 * @param {string} name @param {...import('../dom.js').Child} content
 */
export function part(name, ...content) {
  return h('section', { class: 'fact-section', 'aria-labelledby': `import-${name}`, 'data-part': name },
    h('h3', { id: `import-${name}` }, translate(`admin.import.${name}`)), ...content);
}

/**
 * The file, the time and the source.
 * @param {ImportRun} run @param {Source | null} used the source as the mapping of this import states it
 */
export function factsOf(run, used) {
  /** @type {Source} */
  const source = used ?? run.source ?? {};
  return h('dl', { class: 'facts' },
    fact('file', h('bdi', {}, run.file)), fact('size', run.bytes !== null && bytes(run.bytes, locale(language()))),
    fact('started', moment(run.started_at)), fact('finished', run.finished_at && moment(run.finished_at)),
    fact('by', run.by ? person(run.by) : translate('admin.import.by.none')),
    fact('schedule', run.schedule && h('a', { href: '/admin/imports#schedules' }, h('bdi', {}, run.schedule.name))),
    fact('source', source.name && address(source)), fact('licence', source.licence && h('bdi', {}, source.licence)),
    fact('attribution', source.attribution && h('bdi', {}, source.attribution)));
}

/**
 * Events since the import: who undid it and with what result, and which devices are on the map.
 * @param {ImportRun} run @param {OnMap} onMap
 */
export function sinceOf(run, onMap) {
  const count = (/** @type {number} */ number) => formatNumber(number, language());
  return h('div', {}, ...undone(run),
    h('dl', { class: 'facts' }, fact('shown', count(onMap.shown)), fact('edited', count(onMap.edited)),
      fact('hidden', count(onMap.hidden))));
}

/** @param {ImportRun} run */
function undone({ undo, undone_at: at }) {
  if (!undo || !at) return [];
  const time = moment(at);
  const { withdrawn, restored, kept } = undo;
  return [
    h('p', {}, undo.by
      ? [translate('admin.import.undone.by', { time }), ' ', person(undo.by)]
      : translate(undo.by_command ? 'admin.import.undone.command' : 'admin.import.undone', { time })),
    undo.reason && h('blockquote', {}, h('bdi', {}, undo.reason)),
    withdrawn !== null && restored !== null && kept !== null && h('ul', {},
      h('li', {}, plural('admin.import.result.withdrawn', withdrawn)),
      h('li', {}, plural('admin.import.result.restored', restored)),
      h('li', {}, plural('admin.import.result.kept', kept))),
  ];
}

/** @param {string} name @param {import('../dom.js').Child} content */
function fact(name, content) {
  if (!content) return null;
  return h('div', {}, h('dt', {}, translate(`admin.import.fact.${name}`)), h('dd', {}, content));
}

/** @param {string} username */
function person(username) {
  return h('a', { href: `/people/${encodeURIComponent(username)}` }, h('bdi', {}, username));
}

/** @param {Source} source */
function address({ name, url }) {
  const words = h('bdi', {}, name ?? '');
  const href = safeLink(url ?? null);
  return href ? h('a', { href, rel: 'noopener' }, words) : words;
}
