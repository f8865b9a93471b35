import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useOverview, useResource } from '../api/resource.js'
import type { EndpointStatistics } from '../api/types.js'
import { useForm } from './form.js'

interface FieldProps {
  readonly label: string
  readonly hint?: ComponentChildren
}

/** What describes a field: its hint, or in place of that what is wrong with its value. */
function useNote(hint: ComponentChildren, problem?: string) {
  const id = useId()
  const text = problem ?? hint
  if (text === undefined) return { id, describedBy: undefined, note: null }
  const note = (
    <p id={`${id}-hint`} class={problem === undefined ? 'hint' : 'problem'}>
      {text}
    </p>
  )
  return { id, describedBy: `${id}-hint`, note }
}

interface TextFieldProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** That of the API, whose refusals are then shown here. */
  readonly name?: string
  readonly inputMode?: 'decimal' | 'numeric' | 'url'
  /** Offered while one types. */
  readonly suggestions?: readonly string[] | undefined
  readonly placeholder?: string
}

export function TextField(props: TextFieldProps) {
  const { label, hint, name, value, onChange, inputMode, placeholder, suggestions } = props
  const form = useForm()
  const refusal = name === undefined ? undefined : form?.problems.value[name]
  const { id, describedBy, note } = useNote(hint, refusal && `This ${refusal}.`)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        list={suggestions && `${id}-list`}
        value={value}
        autoComplete="off"
        spellcheck={false}
        aria-invalid={refusal !== undefined}
        aria-describedby={describedBy}
        inputMode={inputMode}
        placeholder={placeholder}
        onInput={({ currentTarget }) => {
          if (refusal !== undefined) form?.forget()
          onChange(currentTarget.value)
        }}
      />
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>{suggestions.map((one) => optionOf([one, one]))}</datalist>
      )}
      {note}
    </div>
  )
}

/** The address of an endpoint. */
export function UrlField(props: Omit<TextFieldProps, 'inputMode'>) {
  return (
    <TextField
      inputMode="url"
      placeholder="http://localhost:3000/webhooks"
      {...props}
      onChange={(typed) => props.onChange(typed.trim())}
    />
  )
}

/** The address that is typed, or else the one that deliveries were sent to last, or else the default endpoint of the sandbox. */
export function useWebhookUrl() {
  const [last] = useResource<readonly EndpointStatistics[]>('/_sandbox/endpoints/').data.value ?? []
  const settings = useOverview(['settings']).data.value
  const typed = useSignal<string | undefined>(undefined)
  return {
    url: typed.value ?? last?.url ?? settings?.default_endpoint ?? '',
    setUrl: (url: string): void => {
      typed.value = url
    },
  }
}

export type Option = readonly [value: string, title: string]

export function optionOf([value, title]: Option) {
  return (
    <option value={value} key={value}>
      {title}
    </option>
  )
}

export const MODES: readonly Option[] = [
  ['false', 'Test'],
  ['true', 'Live'],
]

interface SelectFieldProps extends FieldProps {
  readonly value: string
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
}

export function SelectField({ label, hint, value, options, onChange }: SelectFieldProps) {
  const { id, describedBy, note } = useNote(hint)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map(optionOf)}
      </select>
      {note}
    </div>
  )
}

interface CheckFieldProps extends FieldProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

export function CheckField({ label, hint, isChecked, onChange }: CheckFieldProps) {
  const { describedBy, note } = useNote(hint)
  return (
    <div class="check-field">
      <label class="check">
        <input
          type="checkbox"
          checked={isChecked}
          aria-describedby={describedBy}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        {label}
      </label>
      {note}
    </div>
  )
}
