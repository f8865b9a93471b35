import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'

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
}

let isFirstPage = true

/** The heading of a page. It also is the title of the tab, and gets the focus after a link was followed. */
export function PageHead({ title, above, badges, actions, views = [] }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { path } = useLocation()
  useEffect(() => {
    document.title = `${title} - Sandbox`
  }, [title])
  useEffect(() => {
    // The link that was followed is gone. A screen reader starts from here.
    if (document.activeElement === document.body && !isFirstPage) {
      heading.current!.focus({ preventScroll: true })
    }
    isFirstPage = false
  }, [])
  return (
    <>
      <header class="page-head">
        <div class="page-head-text">
          {above !== undefined && <p class="page-head-above">{above}</p>}
          <div class="page-head-line">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {badges}
          </div>
        </div>
        {actions !== undefined && <div class="page-head-actions">{actions}</div>}
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

/** Whether an address is at a path, with or without a slash at the end. */
function isAt(path: string, address: string): boolean {
  return path.replace(/\/*$/, '/') === address
}

/** Marks a link that leads to where one is. */
export function currentIf(isCurrent: boolean) {
  return isCurrent ? ({ 'aria-current': 'page' } as const) : {}
}
