import { signal } from '@preact/signals'
import { createRef } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from './button.js'

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
  const { target } = event
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

const help = createRef<HTMLDialogElement>()

export function openKeyHelp(): void {
  help.current!.showModal()
}

/** The keys that do something on this page. The browser keeps the focus inside, and Escape closes it. */
export function KeyHelp() {
  const close = () => help.current!.close()
  return (
    <dialog ref={help} class="dialog" aria-label="Keyboard">
      <header class="dialog-head">
        <h2>Keyboard</h2>
        <Button kind="quiet" icon="close" label="Close" isSmall onPress={close} />
      </header>
      <dl class="keys-list">
        {layers.value
          .flatMap(({ current }) => current)
          .map(({ keys, does }) => (
            <div key={keys}>
              <dt>
                {keys.split(' ').map((key) => (
                  <kbd>{key.replace(/^Arrow|ape$/, '')}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
      </dl>
    </dialog>
  )
}
