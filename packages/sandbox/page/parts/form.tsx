import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

interface FormProps {
  readonly class?: string
  readonly children: ComponentChildren
}

/** A form that the browser does not send: Enter in a field presses its button with `isSubmit`. */
export function Form({ class: name, children }: FormProps) {
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault()
      }}
    >
      {children}
    </form>
  )
}

/** A field's value and what changes it: `<TextField label="Name" {...bound(name)} />`. */
export function bound<Value>(signal: Signal<Value>) {
  return {
    value: signal.value,
    onChange: (value: Value): void => {
      signal.value = value
    },
  }
}
