import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface PanelProps {
  readonly title: string
  /** Next to the title: buttons, a count. */
  readonly tools?: ComponentChildren
  /** Without space around the content, such as for a table. */
  readonly isFlush?: boolean
  readonly children: ComponentChildren
}

/** A part of a page with a heading. */
export function Panel({ title, tools, isFlush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{title}</h2>
        {tools !== undefined && <div class="panel-tools">{tools}</div>}
      </div>
      {isFlush ? children : <div class="panel-body">{children}</div>}
    </section>
  )
}
