import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { coalesced } from '../api/coalesced.js'
import { Icon } from './icons.js'
import { useKeys } from './keyboard.js'

const TYPING_MS = 100

interface SearchFieldProps {
  readonly value: string | undefined
  readonly onSearch: (text: string) => void
  readonly label: string
}

/** Searches while one types. "/" leads to it. */
export function SearchField({ value = '', onSearch, label }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const isShown = useRef(true)
  const latestOnSearch = useRef(onSearch)
  latestOnSearch.current = onSearch
  // The first letter is searched for at once, and the ones that follow together.
  const search = useMemo(
    () =>
      coalesced(() => {
        if (isShown.current) latestOnSearch.current(input.current!.value.trim())
        return Promise.resolve()
      }, TYPING_MS),
    [],
  )
  useKeys([
    {
      keys: '/',
      does: 'Search',
      run: () => {
        input.current!.select()
      },
    },
  ])
  // The address may change by itself, but what is being typed must stay.
  useLayoutEffect(() => {
    const field = input.current!
    if (field !== document.activeElement) field.value = value
  }, [value])
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  return (
    <div class="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        autoComplete="off"
        spellcheck={false}
        onInput={search}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur()
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}

interface FilterSelectProps {
  readonly label: string
  readonly value: string | undefined
  /** Values and what they are called. The empty choice, which filters nothing, is added. */
  readonly options: readonly (readonly [value: string, title: string])[]
  readonly onChoose: (value: string | undefined) => void
}

/** A filter with a few values. It is marked while it filters. */
export function FilterSelect({ label, value, options, onChoose }: FilterSelectProps) {
  const isUnknown = value !== undefined && !options.some(([one]) => one === value)
  return (
    <select
      class="filter"
      aria-label={label}
      data-is-set={value !== undefined}
      value={value ?? ''}
      onChange={({ currentTarget }) => {
        onChoose(currentTarget.value === '' ? undefined : currentTarget.value)
      }}
    >
      <option value="">{label}</option>
      {options.map(([one, title]) => (
        <option value={one} key={one}>
          {title}
        </option>
      ))}
      {isUnknown && <option value={value}>{value}</option>}
    </select>
  )
}

interface FilterBarProps {
  readonly search?: ComponentChildren
  /** On narrow screens, these are in one line that scrolls. */
  readonly children?: ComponentChildren
}

/** The line above a list with its search and filters. */
export function FilterBar({ search, children }: FilterBarProps) {
  return (
    <div class="filter-bar" role="search">
      {search}
      {children !== undefined && <div class="filters">{children}</div>}
    </div>
  )
}

interface FilterChipProps {
  readonly name: string
  readonly value: string
  readonly onRemove: () => void
}

/** A filter that was set by a link, with a way to remove it. */
export function FilterChip({ name, value, onRemove }: FilterChipProps) {
  return (
    <button type="button" class="chip" title="Remove this filter" onClick={onRemove}>
      <span>{name}</span> <code>{value}</code> <Icon name="close" />
    </button>
  )
}
