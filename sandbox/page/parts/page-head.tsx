import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import { connection } from '../api/changes.js'
import { Icon } from './icons.js'
import { currentIf, isAt } from './links.js'

/** One of several pages that a heading leads to. */
export type View = readonly [address: string, title: string]

interface PageHeadProps {
  readonly title: string
  /** Above the title: where one is, or came from. */
  readonly above?: ComponentChildren
  /** Next to the title, such as a count. */
  readonly badges?: ComponentChildren
  /** At the end of the line: buttons. */
  readonly actions?: ComponentChildren
  /** Below the title: a switch between these. */
  readonly views?: readonly View[] | undefined
  /** Whether it is the head of a list next to the item that the page is about. */
  readonly isBeside?: boolean | undefined
}

let isFirstPage = true

/** The heading of a page. It also is the title of the tab, and gets the focus after a link was followed. */
export function PageHead({ title, above, badges, actions, views = [], isBeside = false }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { path } = useLocation()
  useEffect(() => {
    if (!isBeside) document.title = `${title} - Sandbox`
  }, [title, isBeside])
  useEffect(() => {
    // The link that was followed is gone. A screen reader starts from here.
    const { activeElement } = document
    const isGone = activeElement === document.body || activeElement?.checkVisibility() === false
    if (isGone && !isFirstPage && !isBeside) heading.current!.focus({ preventScroll: true })
    isFirstPage = false
  }, [])
  const Heading = isBeside ? 'h2' : 'h1'
  return (
    <>
      <header class="page-head">
        <div class="page-head-text">
          {above !== undefined && <p class="page-head-above">{above}</p>}
          <div class="page-head-line">
            <Heading ref={heading} tabIndex={-1}>
              {title}
            </Heading>
            {badges}
          </div>
        </div>
        {actions && <div class="page-head-actions">{actions}</div>}
      </header>
      {views.length > 0 && (
        <nav class="view-switch" aria-label="Views">
          {views.map(([address, name]) => (
            <a class="button small" href={address} key={address} {...currentIf(isAt(path, address))}>
              {name}
            </a>
          ))}
        </nav>
      )}
    </>
  )
}

/** What fills the lists. It leads nowhere while the sandbox does not answer. */
export function PaymentLink() {
  const isOff = connection.value === 'Offline'
  return (
    <a
      class="button primary"
      {...(isOff ? { 'aria-disabled': true, role: 'link' } : { href: '/payments/new/' })}
    >
      <Icon name="coin" />
      Test payment
    </a>
  )
}

/** What sends events: for the heads of pages. */
export function SendLinks() {
  return (
    <>
      <a class="button" href="/compose/">
        <Icon name="edit" />
        Compose
      </a>
      <PaymentLink />
    </>
  )
}
