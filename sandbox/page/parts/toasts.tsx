import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { messageOf } from '../api/client.js'

interface Toast {
  readonly tone: 'good' | 'bad'
  readonly content: ComponentChildren
}

const SHOWN_MS = 6000
const toasts = signal<readonly Toast[]>([])

/** Says what happened, for a few seconds. */
export function toast(content: ComponentChildren, tone: Toast['tone'] = 'good'): void {
  const added = { tone, content }
  toasts.value = [...toasts.value.slice(-3), added]
  setTimeout(() => {
    toasts.value = toasts.value.filter((one) => one !== added)
  }, SHOWN_MS)
}

export function toastError(error: unknown): void {
  toast(messageOf(error), 'bad')
}

/** The region is always there, because a screen reader only reads what is added to one. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ tone, content }, index) => (
        <p class="toast" data-tone={tone} key={index}>
          {content}
        </p>
      ))}
    </div>
  )
}
