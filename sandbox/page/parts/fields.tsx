import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
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
  readonly isLabelHidden?: boolean
  readonly placeholder?: string
  readonly problem?: string | undefined
}

export function TextField(props: TextFieldProps) {
  const { label, hint, name, value, onChange, inputMode, placeholder, suggestions } = props
  const form = useForm()
  const refusal = name === undefined ? undefined : form?.problems.value[name]
  const problem = props.problem ?? (refusal && `This ${refusal}.`)
  const { id, describedBy, note } = useNote(hint, problem)
  return (
    <div class="field">
      <label for={id} class={props.isLabelHidden === true ? 'hidden' : undefined}>
        {label}
      </label>
      <input
        id={id}
        name={name}
        list={suggestions && `${id}-list`}
        value={value}
        autoComplete="off"
        spellcheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={describedBy}
        inputMode={inputMode}
        placeholder={placeholder}
        onInput={({ currentTarget }) => {
          if (refusal !== undefined) form?.forget()
          onChange(currentTarget.value)
        }}
      />
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option value={one} key={one} />
          ))}
        </datalist>
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
      onChange={(typed) => {
        props.onChange(typed.trim())
      }}
    />
  )
}

export type Option = readonly [value: string, title: string]

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
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value)
        }}
      >
        {options.map(([one, title]) => (
          <option value={one} key={one}>
            {title}
          </option>
        ))}
      </select>
      {note}
    </div>
  )
}

interface CheckFieldProps extends FieldProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly isDisabled?: boolean
}

export function CheckField({ label, hint, isChecked, onChange, isDisabled = false }: CheckFieldProps) {
  const { describedBy, note } = useNote(hint)
  return (
    <div class="check-field">
      <label class="check">
        <input
          type="checkbox"
          checked={isChecked}
          disabled={isDisabled}
          aria-describedby={describedBy}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.checked)
          }}
        />
        {label}
      </label>
      {note}
    </div>
  )
}

/** A few values side by side, of which one is chosen. */
export function Choice({ label, value, options, onChange }: Omit<SelectFieldProps, 'hint'>) {
  const name = useId()
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="choice-options">
        {options.map(([one, title]) => (
          <label key={one}>
            <input
              type="radio"
              name={name}
              value={one}
              checked={one === value}
              onChange={() => {
                onChange(one)
              }}
            />
            <span>{title}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
