import type { ComponentChildren } from 'preact'
import { CopyButton } from './button.js'

/** An id in full, with a button that copies it. */
export function CopiedId({ id, label = 'Copy the id' }: { readonly id: string; readonly label?: string }) {
  return (
    <>
      <code>{id}</code> <CopyButton text={id} label={label} isIcon />
    </>
  )
}

interface ItemLinkProps {
  readonly section: 'intents' | 'transactions' | 'customers' | 'cards'
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

export function itemPath(section: string, id: string): string {
  return `/${section}/${encodeURIComponent(id)}/`
}

/** A saved card as people know it: "Visa 4242". */
export function cardName({
  brand,
  last_four,
}: {
  readonly brand: string
  readonly last_four: string
}): string {
  return `${brand} ${last_four}`
}

/** The name of a customer, or else the e-mail address, or else that there is neither. */
export function customerName({
  first_name,
  last_name,
  email,
}: {
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
}): string {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return name === '' ? (email ?? 'Customer without a name') : name
}
