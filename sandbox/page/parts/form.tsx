import { signal, type Signal } from '@preact/signals'
import { createContext, createRef, type ComponentChildren } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { ApiError } from '../api/client.js'
import { toastError } from './toasts.js'

/** What the fields of a form were refused for. */
class FormState {
  readonly element = createRef<HTMLFormElement>()
  /** By the names of the fields. */
  readonly problems = signal<Readonly<Record<string, string>>>({})

  /** Shows an error next to its field, which gets the focus; one that is about no field of the form for a few seconds. */
  showError(error: unknown): void {
    this.problems.value = error instanceof ApiError ? error.fields : {}
    const fields = [...(this.element.current?.elements ?? [])] as HTMLInputElement[]
    const field = fields.find(({ name }) => this.problems.value[name] !== undefined)
    if (field === undefined) toastError(error)
    else field.focus()
  }

  forget(): void {
    this.problems.value = {}
  }
}

const Current = createContext<FormState | undefined>(undefined)

/** The form around a component, if there is one. */
export function useForm(): FormState | undefined {
  return useContext(Current)
}

interface FormProps {
  readonly class?: string
  readonly children: ComponentChildren
}

/** A form that the browser does not send: Enter in a field presses its button with `isSubmit`. */
export function Form({ class: name, children }: FormProps) {
  const form = useMemo(() => new FormState(), [])
  return (
    <Current.Provider value={form}>
      <form class={name} ref={form.element} onSubmit={(event) => event.preventDefault()}>
        {children}
      </form>
    </Current.Provider>
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
