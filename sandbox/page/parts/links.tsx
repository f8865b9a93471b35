import type { ComponentChildren } from 'preact'
import type { CardItem, Intent } from '../api/types.js'
import { amountText } from '../format.js'

/** Anything that is listed. The id names it in its address, and in the control API. */
export interface Identified {
  readonly id: string
}

const OTHER_LISTS: Readonly<Record<string, string>> = {
  deliveries: '/deliveries/',
  requests: '/settings/requests/',
}

/** The address of a list: of deliveries, of requests, or of one of the kinds of payments. */
export function listAddress(name: string): string {
  return OTHER_LISTS[name] ?? `/payments/${name}/`
}

/** The address of an item of a list. */
export function itemPath(list: string, id: string): string {
  // Events are of an intent that pays, or of one that only saves a card.
  const name = list === 'intents' && id.startsWith('cti_') ? 'card-token-intents' : list
  return `${listAddress(name)}${encodeURIComponent(id)}/`
}

/** Whether an address is at a path, with or without a slash at the end. */
export function isAt(path: string, address: string): boolean {
  return path.replace(/\/*$/, '/') === address
}

/** Marks a link that leads to where one is. */
export function currentIf(isCurrent: boolean) {
  return isCurrent ? ({ 'aria-current': 'page' } as const) : {}
}

interface ItemLinkProps {
  readonly section: string
  readonly id: string | null | undefined
  /** Default: the id. */
  readonly children?: ComponentChildren
}

/** A link to the page of an item; nothing without an id. */
export function ItemLink({ section, id, children }: ItemLinkProps) {
  if (id === null || id === undefined) return null
  return (
    <a class={children === undefined ? 'mono above-link' : 'above-link'} href={itemPath(section, id)}>
      {children ?? id}
    </a>
  )
}

/** An address whose path comes first, because that is what distinguishes endpoints where it is cut. */
export function Address({ url }: { readonly url: string }) {
  const { pathname, search, host } = new URL(url)
  return (
    <span title={url}>
      {pathname + search} <span class="soft">{host}</span>
    </span>
  )
}

/** A saved card as people know it: "Visa 4242". */
export function cardName({ brand, last_four }: Pick<CardItem, 'brand' | 'last_four'>): string {
  return `${brand} ${last_four}`
}

/** A payment or a charge by its amount: "1,234.50 EUR". */
export function amountOf(item: Pick<Intent, 'amount' | 'amount_currency'>): string {
  return amountText(item.amount, item.amount_currency)
}
