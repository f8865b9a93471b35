import type { HistoryEntry } from '../api/types.js'
import { Ago } from './times.js'
import './history.css'

/** What happened to an item, in its order. */
export function History({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  return (
    <ol class="history" aria-label="What happened">
      {entries.map((entry, index) => (
        <li key={index}>
          <span class="history-text">
            <Linked entry={entry} />
          </span>
          <span class="soft">
            <Ago at={entry.at} />
          </span>
        </li>
      ))}
    </ol>
  )
}

function Linked({ entry: { text, delivery, transaction } }: { readonly entry: HistoryEntry }) {
  if (delivery !== undefined) return <a href={`/deliveries/${delivery}/`}>{text}</a>
  if (transaction !== undefined) return <a href={`/transactions/${transaction}/`}>{text}</a>
  return <>{text}</>
}
