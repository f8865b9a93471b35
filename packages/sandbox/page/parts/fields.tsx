import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly hint?: ComponentChildren
}

interface TextFieldProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly inputMode?: 'decimal' | 'numeric' | 'url'
  readonly placeholder?: string
  readonly problem?: string | undefined
}

export function TextField(props: TextFieldProps) {
  const { label, hint, value, onChange, inputMode, placeholder, problem } = props
  const id = useId()
  const note = problem ?? hint
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={value}
        autoComplete="off"
        spellcheck={false}
        aria-invalid={problem !== undefined}
        {...(note !== undefined && { 'aria-describedby': `${id}-hint` })}
        {...(inputMode !== undefined && { inputMode })}
        {...(placeholder !== undefined && { placeholder })}
        onInput={({ currentTarget }) => {
          onChange(currentTarget.value)
        }}
      />
      {note !== undefined && (
        <p id={`${id}-hint`} class={problem === undefined ? 'hint' : 'problem'}>
          {note}
        </p>
      )}
    </div>
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
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
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
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

interface CheckFieldProps extends FieldProps {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly isDisabled?: boolean
}

export function CheckField({ label, hint, isChecked, onChange, isDisabled = false }: CheckFieldProps) {
  const id = useId()
  return (
    <div class="check-field">
      <label class="check">
        <input
          type="checkbox"
          checked={isChecked}
          disabled={isDisabled}
          {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.checked)
          }}
        />
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

interface ChoiceProps extends FieldProps {
  readonly value: string
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
}

/** A few values side by side, of which one is chosen. */
export function Choice({ label, value, options, onChange }: ChoiceProps) {
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
