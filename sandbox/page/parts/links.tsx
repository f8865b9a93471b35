import type { ComponentChildren } from 'preact'
import type { PageSection } from '../../server/http/page-sections.js'
import type { Card, Customer, Transaction } from '../api/types.js'
import { amountText, shortUrl } from '../format.js'
import { CopyButton } from './button.js'
import { Icon } from './icons.js'

/** Anything that is listed. An agreement has its id at the merchant, and a key that is unique. */
export type Identified = { readonly id: string } | { readonly key: string }

/** What names an item in its address, and in the control API. */
export function idOf(item: Identified): string {
  return 'key' in item ? item.key : item.id
}

export function itemPath(section: PageSection, id: string): string {
  return `/${section}/${encodeURIComponent(id)}/`
}

interface ItemLinkProps {
  readonly section: PageSection
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

export interface WithCustomer {
  readonly customer: string | null
  /** Null if neither the name nor the e-mail address is known. */
  readonly customer_name: string | null
}

export function customerLink({ customer, customer_name: name }: WithCustomer) {
  return (
    <ItemLink section="customers" id={customer}>
      {name ?? undefined}
    </ItemLink>
  )
}

/** An id in full, with a button that copies it. */
export function CopiedId({ id, label = 'Copy the id' }: { readonly id: string; readonly label?: string }) {
  return (
    <>
      <code>{id}</code> <CopyButton text={id} label={label} isIcon />
    </>
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

/** Leads to the deliveries that were sent to an address. */
export function EndpointLink({ url }: { readonly url: string }) {
  return <a href={`/deliveries/?endpoint=${encodeURIComponent(url)}`}>{shortUrl(url)}</a>
}

/** What fills the lists of payments. */
export function PaymentLink() {
  return (
    <a class="button primary" href="/payments/">
      <Icon name="coin" />
      Test payment
    </a>
  )
}

/** A saved card as people know it: "Visa 4242". */
export function cardName({ brand, last_four }: Pick<Card, 'brand' | 'last_four'>): string {
  return `${brand} ${last_four}`
}

/** The name of a customer, or else the e-mail address, or else that there is neither. */
export function customerName(customer: Pick<Customer, 'first_name' | 'last_name' | 'email'>): string {
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(' ')
  return name === '' ? (customer.email ?? 'Customer without a name') : name
}

/** A payment or a charge by its amount: "1,234.50 EUR". */
export function amountOf(item: Pick<Transaction, 'amount' | 'amount_currency'>): string {
  return amountText(item.amount, item.amount_currency)
}
