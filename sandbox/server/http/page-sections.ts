/** The sections of the page: each has the address "/name/", and its items have "/name/id/". */
export const PAGE_SECTIONS = [
  'deliveries',
  'compose',
  'audit',
  'payments',
  'intents',
  'transactions',
  'customers',
  'cards',
  'agreements',
  'providers',
  'requests',
  'keys',
  'settings',
] as const

export type PageSection = (typeof PAGE_SECTIONS)[number]
