import type { ComponentChildren } from 'preact'
import { ApiError } from '../api/client.js'
import { Button } from './button.js'
import { PageHead } from './page-head.js'

interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
  /** "alert": a screen reader says it at once. */
  readonly role?: 'alert'
}

/** What an empty list says: one line that teaches, and something to do. */
export function Empty({ title, children, role }: EmptyProps) {
  return (
    <div class="empty" role={role}>
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

/** A problem in place of what could not be shown. */
export function Problem({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }) {
  return (
    <Empty title={message} role="alert">
      <Button onPress={onRetry}>Try again</Button>
    </Empty>
  )
}

interface ItemProblemProps {
  readonly error: Error
  readonly onRetry: () => void
  readonly noun: string
  /** The list that the item would be in. */
  readonly list: string
}

/** The same in place of an item. One that does not exist is not asked for again. */
export function ItemProblem({ error, onRetry, noun, list }: ItemProblemProps) {
  if (!(error instanceof ApiError && error.status === 404)) {
    return <Problem message={error.message} onRetry={onRetry} />
  }
  return (
    <Empty title={`${noun} not found. It may be older than a reset, or than what is kept.`} role="alert">
      <a class="button" href={list}>
        Go to the list
      </a>
    </Empty>
  )
}

/** Shown at an address without a page. */
export function NotFound() {
  return (
    <>
      <PageHead title="This page does not exist" />
      <div class="page-body stack">
        <p>There is nothing at this address. The menu leads to everything that the sandbox shows.</p>
        <div class="form-actions">
          <a class="button" href="/">
            Go to Home
          </a>
        </div>
      </div>
    </>
  )
}
