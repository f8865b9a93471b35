import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { messageOf } from '../api/client.js'
import type { Tone } from './badge.js'
import { Icon } from './icons.js'

interface Toast {
  readonly number: number
  readonly tone: Tone
  readonly content: ComponentChildren
}

const SHOWN_MS = 6000
const toasts = signal<readonly Toast[]>([])
let made = 0

/** Says what happened, for a few seconds. */
export function toast(content: ComponentChildren, tone: Tone = 'plain'): void {
  const number = ++made
  toasts.value = [...toasts.value.slice(-3), { number, tone, content }]
  setTimeout(() => {
    dismiss(number)
  }, SHOWN_MS)
}

export function toastError(error: unknown): void {
  toast(messageOf(error), 'bad')
}

function dismiss(number: number): void {
  toasts.value = toasts.value.filter((one) => one.number !== number)
}

/** The region is always there, because a screen reader only reads what is added to one. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ number, tone, content }) => (
        <div class="toast" data-tone={tone} key={number}>
          <p>{content}</p>
          <button
            type="button"
            class="button quiet small"
            aria-label="Dismiss"
            onClick={() => {
              dismiss(number)
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
