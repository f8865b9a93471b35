/** What each group of cases sends. */
export const GROUP_TITLES: Readonly<Record<string, string>> = {
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
}
