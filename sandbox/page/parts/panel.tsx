import { Fragment, type ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { HistoryEntry } from '../api/types.js'
import { itemPath } from './links.js'
import { Ago } from './times.js'

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

export type Fact = readonly [name: string, value: ComponentChildren]

/** Names and values of an item. Values that it does not have are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}

/** What happened to an item, in its order. */
export function History({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  return (
    <Panel title="What happened">
      <ol class="history points" aria-label="What happened">
        {entries.map(({ at, text, outcome, delivery, transaction }, index) => (
          <li key={index} data-tone={outcome}>
            <span class="history-text">
              {delivery !== undefined ? (
                <a href={itemPath('deliveries', delivery)}>{text}</a>
              ) : transaction !== undefined ? (
                <a href={itemPath('transactions', transaction)}>{text}</a>
              ) : (
                text
              )}
            </span>
            <span class="soft">
              <Ago at={at} isExact />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
