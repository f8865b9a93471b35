import type { PageSection } from '../server/http/page-sections.js'
import type { IconName } from './parts/icons.js'

export interface Section {
  readonly name: PageSection
  readonly title: string
  readonly icon: IconName
  /** After "g", the key that leads there. */
  readonly key: string
}

/** The navigation, in its order. */
export const GROUPS: readonly { readonly title: string; readonly sections: readonly Section[] }[] = [
  {
    title: 'Webhooks',
    sections: [
      { name: 'deliveries', title: 'Deliveries', icon: 'send', key: 'd' },
      { name: 'compose', title: 'Compose', icon: 'edit', key: 'c' },
      { name: 'audit', title: 'Audit', icon: 'shield', key: 'a' },
    ],
  },
  {
    title: 'Payments',
    sections: [
      { name: 'payments', title: 'Test payment', icon: 'coin', key: 'p' },
      { name: 'intents', title: 'Intents', icon: 'list', key: 'i' },
      { name: 'transactions', title: 'Transactions', icon: 'swap', key: 't' },
      { name: 'customers', title: 'Customers', icon: 'person', key: 'u' },
      { name: 'cards', title: 'Cards', icon: 'card', key: 'v' },
      { name: 'agreements', title: 'Agreements', icon: 'paper', key: 'm' },
      { name: 'providers', title: 'Providers', icon: 'server', key: 'o' },
    ],
  },
  {
    title: 'Sandbox',
    sections: [
      { name: 'requests', title: 'Requests', icon: 'terminal', key: 'r' },
      { name: 'keys', title: 'Keys', icon: 'key', key: 'k' },
      { name: 'settings', title: 'Settings', icon: 'sliders', key: 's' },
    ],
  },
]
