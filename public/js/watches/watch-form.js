// @ts-check
// The form that adds or changes a watch.

import { send } from '../api.js';
import { cancelButton } from '../account/section.js';
import { h } from '../dom.js';
import { checkField, choicesField, selectField, textField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { translate } from '../i18n.js';
import { areaField } from './area-field.js';
import { addressOf, EVENTS, MAILS, readFilter, WATCHES, writeFilter } from './watches.js';
import { dayName } from './words.js';

/** @typedef {import('./watches.js').Watch} Watch */

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The time zone of the browser, in a form that the server knows. */
function ownZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/**
 * @param {Watch | null} watch null adds one
 * @param {{area: import('./watches.js').Area | null, label: string, filter: import('./watches.js').WatchFilter}} asked
 * @param {{cancel: (said?: string) => void, done: (watch: Watch) => Promise<void>}} acts
 */
export function watchForm(watch, asked, { cancel, done }) {
  const label = textField({
    name: 'label', label: translate('watch.label'), note: translate('watch.label.note'), most: 80,
    value: watch?.label ?? asked.label,
  });
  const given = watch?.area ?? asked.area;
  const isQueue = given?.type === 'queue';
  const area = areaField(given);
  const filter = textField({
    name: 'filter', label: translate('watch.filter'), note: translate('watch.filter.note'), isRequired: false,
    value: writeFilter(watch?.filter ?? asked.filter),
  });
  const events = choicesField({
    name: 'events', label: translate('watch.events'), value: watch?.events ?? ['added', 'removed'],
    options: EVENTS.map((code) => ({
      code, label: translate(`watch.event.${code}`), note: translate(`watch.event.${code}.note`),
    })),
    mustBe: translate('watch.events.some'),
  });
  const mail = selectField({
    name: 'mail', label: translate('watch.mail'), note: translate('watch.mail.note'), value: watch?.mail ?? 'daily',
    options: MAILS.filter((code) => !isQueue || code !== 'at_once')
      .map((code) => [code, translate(`watch.mail.${code}`)]),
  });
  const hour = selectField({
    name: 'hour', label: translate('watch.hour'), value: String(watch?.hour ?? 8),
    options: HOURS.map((one) => [String(one), `${one}:00`]),
  });
  const weekday = selectField({
    name: 'weekday', label: translate('watch.weekday'), value: String(watch?.weekday ?? 1),
    options: [1, 2, 3, 4, 5, 6, 7].map((day) => [String(day), dayName(day)]),
  });
  const zone = textField({
    name: 'time_zone', label: translate('watch.time_zone'), value: watch?.time_zone ?? ownZone(), most: 60,
  });
  const digest = h('div', { class: 'watch-pair' }, hour.element, weekday.element, zone.element);
  const look = () => {
    digest.hidden = !['daily', 'weekly'].includes(mail.control.value);
    weekday.element.hidden = mail.control.value !== 'weekly';
  };
  mail.control.addEventListener('change', look);
  look();
  const feed = checkField({
    name: 'feed', label: translate('watch.feed'), note: translate('watch.feed.note'), value: Boolean(watch?.feed),
  });
  const webhook = textField({
    name: 'webhook', label: translate('watch.webhook'), note: translate('watch.webhook.note'), isRequired: false,
    value: watch?.webhook?.url ?? '', inputmode: 'url',
  });
  const fields = [label, area, filter, events, mail, hour, weekday, zone, feed, webhook];
  return new Form({
    fields,
    body: isQueue
      ? [label.element, h('p', { class: 'field-note' }, translate('watch.queue.note')), mail.element, digest]
      : [
        label.element, area.element, filter.element, events.element, mail.element, digest, feed.element,
        webhook.element,
      ],
    submit: translate(watch ? 'watch.save' : 'watch.add'),
    beside: [cancelButton(cancel)],
    act: async (values) => {
      const json = {
        ...values, filter: readFilter(values.filter), hour: Number(values.hour), weekday: Number(values.weekday),
        webhook: values.webhook || null,
      };
      const { body } = watch
        ? await send('PATCH', addressOf(watch.id), { json }) : await send('POST', WATCHES, { json });
      await done(body);
    },
    // The server names members of the area and parameters of the filter, which each are one field here.
    explain: (refusal) => {
      const errors = refusal.problem.errors ?? [];
      if (!errors.length) return null;
      return errors.map(({ field: name, detail }) => ({
        field: fields.find((field) => field.name === name.split('.')[0]) ?? filter, words: [detail],
      }));
    },
  });
}
