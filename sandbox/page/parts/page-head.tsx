import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface PageHeadProps {
  readonly title: string
  /** Above the title: where one is, or came from. */
  readonly above?: ComponentChildren
  /** Next to the title, such as a count. */
  readonly badges?: ComponentChildren
  /** At the end of the line: buttons. */
  readonly actions?: ComponentChildren
}

let isFirstPage = true

/** The heading of a page. It also is the title of the tab, and gets the focus after a link was followed. */
export function PageHead({ title, above, badges, actions }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
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
  )
}
