import type { EventSummary } from '../event-summary.js'
import { make } from './dom.js'

/** The event that the body reports, or why it is not recognized. */
export function eventView({ sentence, isRecognized, facts, issues }: EventSummary, isVerified: boolean) {
  const warning = 'The signature does not prove it: a handler must not see this event.'
  return make(
    'section',
    { 'aria-label': 'Event' },
    make('h2', {}, 'The event'),
    make('p', { class: isRecognized ? '' : 'bad' }, sentence),
    isRecognized && !isVerified ? make('p', { class: 'note' }, warning) : undefined,
    make(
      'dl',
      { class: 'facts' },
      ...facts.map(([label, value]) => make('div', {}, make('dt', {}, label), make('dd', {}, value))),
    ),
    make(
      'ul',
      {},
      ...issues.map(({ path, reason }) =>
        make('li', {}, make('code', {}, path === '' ? 'the payload' : path), ` ${reason}`),
      ),
    ),
  )
}
