// @ts-check
// The form that plans or changes a mapping day.

import { send } from '../api.js';
import { longField } from '../choices/fields.js';
import { h } from '../dom.js';
import { choicesField, textField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { translate } from '../i18n.js';
import { allTerms, label as categoryName } from '../taxonomies.js';
import { areaField } from './area-field.js';
import { addressOf, DAYS, LANGUAGES } from './days.js';
import { languageName } from './words.js';

/** @typedef {import('./days.js').MappingDay} MappingDay */

const MOST_PEOPLE = 500;
const MOST_TEAMS = 10;

/** The time zone of the browser. */
function ownZone() { return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'; }

/**
 * @param {MappingDay | null} day null plans one
 * @param {import('../page/start.js').Settings} settings
 * @param {{cancel: (said?: string) => void, done: (day: MappingDay) => Promise<void>}} acts
 */
export function planForm(day, settings, { cancel, done }) {
  const title = textField({ name: 'title', label: translate('mapping_day.title'), value: day?.title ?? '', most: 100 });
  const purpose = longField({
    name: 'purpose', label: translate('mapping_day.purpose'), note: translate('mapping_day.purpose.note'),
    value: day?.purpose ?? '', isRequired: true, most: 2_000,
  });
  const area = areaField(day, settings);
  const moment = (/** @type {'starts' | 'ends'} */ name) => textField({
    name, label: translate(`mapping_day.${name}`), value: day?.own?.[name] ?? '', type: 'datetime-local',
    note: name === 'starts' ? translate('mapping_day.starts.note') : null,
  });
  const [starts, ends] = [moment('starts'), moment('ends')];
  const zone = textField({
    name: 'time_zone', label: translate('watch.time_zone'), value: day?.time_zone ?? ownZone(), most: 60,
  });
  const maximum = textField({
    name: 'maximum', label: translate('mapping_day.maximum'), value: String(day?.maximum ?? 20), inputmode: 'numeric',
    check: (text) => (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_PEOPLE
      ? null : translate('mapping_day.maximum.wrong', { maximum: MOST_PEOPLE })),
  });
  const meeting = meetingFields(day);
  const kinds = choicesField({
    name: 'kinds', label: translate('mapping_day.kinds'), note: translate('mapping_day.kinds.note'),
    value: day?.kinds ?? [], mustBe: '',
    options: [...(allTerms('categories')?.values() ?? [])].map(({ code }) => ({
      code, label: categoryName('categories', code),
    })),
  });
  const languages = choicesField({
    name: 'languages', label: translate('mapping_day.languages'), value: day?.languages ?? [], mustBe: '',
    options: LANGUAGES.map((code) => ({ code, label: languageName(code) })),
  });
  for (const one of [kinds, languages]) {
    one.fault = () => null;
    one.element.classList.add('day-choices');
  }
  const teams = longField({
    name: 'teams', label: translate('mapping_day.teams'), note: translate('mapping_day.teams.note', {
      maximum: MOST_TEAMS,
    }), value: day?.teams.join('\n') ?? '', most: 500,
  });
  const fields = [title, purpose, area, starts, ends, zone, maximum, ...meeting.fields, kinds, languages, teams];
  return new Form({
    fields,
    body: [
      title.element, purpose.element, area.element, h('div', { class: 'day-pair' }, starts.element, ends.element),
      zone.element, maximum.element, meeting.element, kinds.element, languages.element,
      teams.element,
    ],
    submit: translate(day ? 'mapping_day.save' : 'mapping_day.plan.save'),
    beside: [h('button', { type: 'button', class: 'button', onclick: () => cancel() }, translate('form.cancel'))],
    act: async (values) => {
      const { title: name, purpose: why, area: where, starts: from, ends: to, time_zone: where2 } = values;
      const json = {
        title: name, purpose: why, area: where, starts: from.slice(0, 16), ends: to.slice(0, 16), time_zone: where2,
        maximum: Number(values.maximum), kinds: values.kinds, languages: values.languages,
        meeting_point: meeting.value(), teams: linesOf(values.teams),
      };
      const { body } = day
        ? await send('PUT', addressOf(day.id), { json }) : await send('POST', DAYS, { json });
      await done(body);
    },
    // The server names members of the area and of the meeting point, which each are one field here.
    explain: (refusal) => {
      const errors = refusal.problem.errors ?? [];
      if (!errors.length) return null;
      return errors.map(({ field, detail }) => {
        const name = field.split('.')[0];
        return {
          field: fields.find((one) => one.name === name) ?? (name === 'meeting_point' ? meeting.fields[0] : undefined),
          words: [detail],
        };
      });
    },
  });
}

/** @param {MappingDay | null} day */
function meetingFields(day) {
  const point = day?.meeting_point;
  const place = textField({
    name: 'meeting', label: translate('mapping_day.meeting'), note: translate('mapping_day.meeting.note'),
    value: point ? `${point.latitude}, ${point.longitude}` : '', isRequired: false,
    check: (text) => (readPoint(text) ? null : translate('mapping_day.meeting.wrong')),
  });
  const words = textField({
    name: 'meeting_words', label: translate('mapping_day.meeting.words'), value: point?.words ?? '', isRequired: false,
    most: 200,
  });
  return {
    fields: [place, words],
    element: h('div', { class: 'stack' }, place.element, words.element),
    value: () => {
      const found = readPoint(place.value());
      return found ? { ...found, words: words.value() || null } : null;
    },
  };
}

/** @param {string} text latitude and longitude */
function readPoint(text) {
  const parts = text.split(/[\s,;]+/).filter(Boolean).map(Number);
  const [latitude, longitude] = parts;
  return parts.length === 2 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/** @param {string} text @returns {string[]} */
function linesOf(text) { return text.split('\n').map((line) => line.trim()).filter(Boolean); }
