// @ts-check
// The form of a scheduled import: address, mapping and time.

import { getJSON } from '../api.js';
import { h } from '../dom.js';
import { complaintFor, selectField, textField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { translate } from '../i18n.js';
import { dayName } from '../watches/words.js';

/** @typedef {import('./schedules.js').Schedule} Schedule */
/** @typedef {import('../forms/fields.js').FormField} FormField */
/**
 * @typedef {object} ScheduleOptions
 * @property {Schedule} [schedule] the one to change; without it the form is for a new one
 * @property {import('./schedules.js').Mapping[]} mappings all mappings of the instance
 * @property {{id: number, file: string} | null} [repeated] an import whose mapping a new schedule takes over
 * @property {(json: Record<string, any>) => Promise<void>} save
 * @property {() => void} cancel
 */

/** Devices that a run may take off the map, as on the server. */
const MOST_MISSING = 10_000;
const LONGEST = 262_144; // bytes of a mapping file, as on the server
const INTERVALS = /** @type {const} */ (['day', 'week', 'month']);
const FILE = 'file';
const KEPT = 'kept';
const REPEATED = 'repeated';

/**
 * When a schedule runs.
 * @param {Schedule} schedule
 */
export function timeWords({ every, day, hour }) {
  return translate(`admin.schedules.time.${every}`, {
    hour: String(hour).padStart(2, '0'), day: every === 'week' ? dayName(day) : String(day),
  });
}

/**
 * @param {ScheduleOptions} options
 * @returns {HTMLElement}
 */
export function scheduleForm({ schedule, mappings, repeated = null, save, cancel }) {
  const name = textField({
    name: 'name', label: translate('admin.schedules.name'), value: schedule?.name ?? repeated?.file ?? '', most: 80,
  });
  const url = textField({
    name: 'url', label: translate('admin.schedules.url'), note: translate('admin.schedules.url.note'),
    value: schedule?.url ?? '', most: 2_000, type: 'url', inputmode: 'url',
    check: (text) => (/^https:\/\//i.test(text) ? null : translate('admin.schedules.url.wrong')),
  });
  const [source, licence] = (/** @type {const} */ (['source', 'licence'])).map((one) => textField({
    name: one, label: translate(`admin.schedules.${one}`), note: translate(`admin.schedules.${one}.note`),
    value: schedule?.[one] ?? '', isRequired: false, most: one === 'source' ? 200 : 60,
  }));
  const { mapping, file } = mappingFields(mappings, schedule, repeated);
  const { every, weekday, monthday, hour, element } = timeFields(schedule);
  const missing = missingFields(schedule);
  const form = new Form({
    fields: [
      name, url, mapping, file, source, licence, every, weekday, monthday, hour, missing.action, missing.limit,
    ],
    body: [
      name.element, url.element, mapping.element, file.element, source.element, licence.element, element,
      missing.element,
    ],
    submit: translate('admin.schedules.save'),
    beside: [h('button', { type: 'button', class: 'button', onclick: cancel }, translate('admin.schedules.cancel'))],
    act: async (values) => {
      const json = {
        name: values.name, url: values.url, every: values.every, hour: Number(values.hour),
        day: Number(values.every === 'month' ? values.monthday : values.weekday),
        source: values.source || null, licence: values.licence || null,
        missing: values.missing || null, missing_limit: Number(values.missing_limit),
      };
      const chosen = await mappingOf(values.mapping, values.mapping_file, repeated);
      await save(chosen ? { ...json, mapping: chosen } : json);
    },
  });
  return form.element;
}

/**
 * The mapping to send; null to keep the saved one.
 * @param {string} choice @param {object | null} file @param {ScheduleOptions['repeated']} repeated
 */
async function mappingOf(choice, file, repeated) {
  if (choice === KEPT) return null;
  if (choice === FILE) return file;
  if (choice === REPEATED) return getJSON(`/api/admin/imports/${repeated?.id}/mapping`);
  return { extends: `${choice}.json` };
}

/**
 * The choice of a mapping, and the field of a file that appears with its option.
 * @param {ScheduleOptions['mappings']} mappings @param {Schedule | undefined} schedule
 * @param {ScheduleOptions['repeated']} repeated
 */
function mappingFields(mappings, schedule, repeated) {
  /** @type {[string, string][]} */
  const first = [];
  if (schedule) first.push([KEPT, translate('admin.schedules.mapping.kept')]);
  if (repeated) first.push([REPEATED, translate('admin.schedules.mapping.of', { number: String(repeated.id) })]);
  /** @type {[string, string][]} */
  const named = mappings.map((one) => [one.name, one.title]);
  const options = /** @type {[string, string][]} */ (
    [...first, ...named, [FILE, translate('admin.schedules.mapping.file')]]);
  const mapping = selectField({
    name: 'mapping', label: translate('admin.schedules.mapping'), options, value: options[0][0],
  });
  const file = mappingFile(() => mapping.value() === FILE);
  const show = () => { file.element.hidden = mapping.value() !== FILE; };
  mapping.control.addEventListener('change', show);
  show();
  return { mapping, file };
}

/**
 * @param {() => boolean} isNeeded
 * @returns {FormField}
 */
function mappingFile(isNeeded) {
  /** @type {object | null} */
  let content = null;
  const control = /** @type {HTMLInputElement} */ (h('input', {
    type: 'file', id: 'schedule-mapping-file', accept: '.json,application/json',
  }));
  const complaint = complaintFor(control, []);
  control.addEventListener('change', async () => {
    content = await mappingIn(control.files?.[0]);
    complaint.say(content ? null : [translate('admin.schedules.mapping.wrong')]);
  });
  return {
    name: 'mapping_file', label: translate('admin.schedules.mapping.file'), control, complain: complaint.say,
    element: h('div', { class: 'field' },
      h('label', { class: 'field-label', for: control.id }, translate('admin.schedules.mapping.file')), control,
      complaint.element),
    value: () => content,
    fault: () => {
      if (!isNeeded() || content) return null;
      return translate(control.files?.length ? 'admin.schedules.mapping.wrong' : 'admin.imports.file.missing');
    },
  };
}

/**
 * The mapping in a file; null without a file.
 * @param {File | undefined} file
 * @returns {Promise<object | null>}
 */
async function mappingIn(file) {
  try {
    if (!file || file.size > LONGEST) return null;
    const mapping = JSON.parse(await file.text());
    return typeof mapping === 'object' && !Array.isArray(mapping) ? mapping : null;
  } catch {
    return null;
  }
}

/**
 * The choice for devices that the list no longer has: they stay, leave the map, or are marked as removed.
 * @param {Schedule | undefined} schedule
 */
function missingFields(schedule) {
  const action = selectField({
    name: 'missing', label: translate('admin.schedules.missing'), value: schedule?.missing ?? '',
    note: translate('admin.schedules.missing.note'),
    options: ['', 'withdraw', 'remove'].map((one) => [one, translate(`admin.schedules.missing.${one || 'keep'}`)]),
  });
  const limit = textField({
    name: 'missing_limit', label: translate('admin.schedules.missing.limit'), most: 5, inputmode: 'numeric',
    value: String(schedule?.missing_limit ?? 20),
    check: (text) => (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_MISSING
      ? null : translate('admin.schedules.missing.limit.wrong', { maximum: String(MOST_MISSING) })),
  });
  const show = () => { limit.element.hidden = action.value() === ''; };
  action.control.addEventListener('change', show);
  show();
  return { action, limit, element: h('div', { class: 'schedule-time' }, action.element, limit.element) };
}

/**
 * How often and when; the day is hidden where it has no meaning.
 * @param {Schedule | undefined} schedule
 */
function timeFields(schedule) {
  const numbers = (/** @type {number} */ count, /** @type {number} */ least) => (
    Array.from({ length: count }, (_, place) => place + least));
  const every = selectField({
    name: 'every', label: translate('admin.schedules.every'), value: schedule?.every ?? 'week',
    options: INTERVALS.map((one) => [one, translate(`admin.schedules.every.${one}`)]),
  });
  const weekday = selectField({
    name: 'weekday', label: translate('admin.schedules.day.week'),
    value: String(schedule?.every === 'week' ? schedule.day : 1),
    options: numbers(7, 1).map((day) => [String(day), dayName(day)]),
  });
  const monthday = selectField({
    name: 'monthday', label: translate('admin.schedules.day.month'),
    value: String(schedule?.every === 'month' ? schedule.day : 1),
    options: numbers(28, 1).map((day) => [String(day), String(day)]),
  });
  const hour = selectField({
    name: 'hour', label: translate('admin.schedules.hour'), value: String(schedule?.hour ?? 3),
    options: numbers(24, 0).map((one) => [String(one), `${String(one).padStart(2, '0')}:00`]),
  });
  const show = () => {
    weekday.element.hidden = every.value() !== 'week';
    monthday.element.hidden = every.value() !== 'month';
  };
  every.control.addEventListener('change', show);
  show();
  const element = h('div', { class: 'schedule-time' }, every.element, weekday.element, monthday.element, hour.element);
  return { every, weekday, monthday, hour, element };
}
