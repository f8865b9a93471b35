/** What each group of cases sends, in their order. The last one is sent only if that is asked for. */
export const GROUP_TITLES = {
  genuine: 'Valid deliveries, as senders and proxies may print, split and delay them',
  unsigned: 'Deliveries without a signature',
  keys: 'Deliveries signed with another key',
  tampered: 'Valid deliveries that were changed after signing',
  time: 'Deliveries signed long ago, or ahead of time',
  downgrade: 'Deliveries of which only a version matches that is not required',
  header: 'Malformed headers with right digests',
  body: 'Bodies that are incomplete, or too large',
  odd: 'Right signatures over bodies that are hardly events',
  answers: 'What refusals reveal',
  survives: 'What a shop in production meets: other accounts, copies at once, a burst of 1,000 payments',
} as const

export type Group = keyof typeof GROUP_TITLES

/** The groups of cases, in the order in which they are sent. */
export const GROUPS = Object.keys(GROUP_TITLES) as readonly Group[]
