import { signal, useComputed, type Signal } from '@preact/signals'

/** The rows of a list that are selected, by id. */
export type Selection = Signal<ReadonlySet<string>>

export function createSelection(ids: readonly string[] = []): Selection {
  return signal<ReadonlySet<string>>(new Set(ids))
}

export function toggle(selection: Selection, id: string): void {
  const ids = new Set(selection.value)
  if (!ids.delete(id)) ids.add(id)
  selection.value = ids
}

interface SelectBoxProps {
  readonly selection: Selection
  readonly id: string
  readonly label: string
}

/** The box of one row. Only the boxes that change are drawn again. */
export function SelectBox({ selection, id, label }: SelectBoxProps) {
  const isSelected = useComputed(() => selection.value.has(id))
  return (
    <input
      type="checkbox"
      class="select-box above-link"
      aria-label={label}
      checked={isSelected}
      data-id={id}
      onChange={() => {
        toggle(selection, id)
      }}
    />
  )
}
