import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Dialog } from './dialog.js'

export interface KeyBinding {
  /** One key as the browser names it, or two in a row: "j", "?", "g d". */
  readonly keys: string
  /** What it does, for the list of keys. */
  readonly does: string
  readonly run: () => void
}

const SEQUENCE_MS = 1500

/** The bindings of each component that is shown; the last ones come first. */
const layers = signal<readonly { readonly current: readonly KeyBinding[] }[]>([])
const isHelpOpen = signal(false)
let previous = { key: '', at: 0 }

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  if (isTyping(event) || document.querySelector('dialog[open]') !== null) return
  const sequence = event.timeStamp - previous.at < SEQUENCE_MS ? `${previous.key} ${event.key}` : ''
  previous = { key: event.key, at: event.timeStamp }
  const bindings = layers.value.flatMap((layer) => layer.current).reverse()
  const found =
    bindings.find(({ keys }) => keys === sequence) ?? bindings.find(({ keys }) => keys === event.key)
  if (found === undefined) return
  event.preventDefault()
  found.run()
})

/** Letters that are typed into a field are not keys. */
function isTyping(event: KeyboardEvent): boolean {
  // The target of an event in a custom element is that element.
  const [target] = event.composedPath()
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.matches('textarea, select')) return true
  return target.matches('input:not([type=checkbox], [type=radio])') && event.key !== 'Escape'
}

/** Binds keys for as long as a component is shown. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const layer = useRef(bindings)
  layer.current = bindings
  useEffect(() => {
    layers.value = [...layers.value, layer]
    return () => {
      layers.value = layers.value.filter((one) => one !== layer)
    }
  }, [])
}

export function openKeyHelp(): void {
  isHelpOpen.value = true
}

/** The keys that do something on this page. */
export function KeyHelp() {
  if (!isHelpOpen.value) return null
  const bindings = new Map(layers.value.flatMap(({ current }) => current).map((one) => [one.keys, one.does]))
  /** Several keys may do the same. */
  const actions = new Set(bindings.values())
  return (
    <Dialog
      title="Keyboard"
      onClose={() => {
        isHelpOpen.value = false
      }}
    >
      <dl class="keys-list">
        {[...actions].map((does) => (
          <div key={does}>
            <dt>
              {[...bindings.keys()]
                .filter((keys) => bindings.get(keys) === does)
                .map((keys, index) => [
                  index > 0 && 'or',
                  keys.split(' ').map((key) => <kbd>{NAMES[key] ?? key}</kbd>),
                ])}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

const NAMES: Readonly<Record<string, string>> = { Escape: 'Esc', ArrowDown: 'Down', ArrowUp: 'Up' }
