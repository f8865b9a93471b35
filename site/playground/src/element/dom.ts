export type Child = Node | string | undefined

/** Attributes by name; `true` sets one without a value, and `undefined` or `false` leaves it out. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** Makes an element. Text becomes text nodes, so nothing of a delivery is ever read as HTML. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.filter((child) => child !== undefined))
  return element
}

let lastId = 0

/** An id for a label or a description, which is unique within every shadow tree. */
export function newId(name: string): string {
  return `${name}-${++lastId}`
}

/** A control under its label. */
export function labelled(text: string, control: HTMLElement, ...more: readonly Child[]): HTMLElement {
  control.id = control.id === '' ? newId('control') : control.id
  return make('div', { class: 'field' }, make('label', { for: control.id }, text), control, ...more)
}

/** A control with its label after it, for checkboxes and radio buttons. */
export function choice(text: string, control: HTMLElement): HTMLElement {
  return make('label', { class: 'choice' }, control, text)
}

/** A part that opens and closes, and stays so when the results are made again: see {@link keepOpen}. */
export function disclosure(
  key: string,
  isOpen: boolean,
  summary: Child | readonly Child[],
  ...children: readonly Child[]
): HTMLDetailsElement {
  const heads = Array.isArray(summary) ? (summary as readonly Child[]) : [summary as Child]
  return make(
    'details',
    { 'data-key': key, 'data-default': String(isOpen), open: isOpen },
    make('summary', {}, ...heads),
    ...children,
  )
}

/** Opens and closes the disclosures of new content as the reader left those of the old. */
export function keepOpen(old: ParentNode, fresh: ParentNode): void {
  for (const before of old.querySelectorAll('details')) {
    const { key = '' } = before.dataset
    if (String(before.open) === before.dataset['default']) continue
    const after = fresh.querySelector<HTMLDetailsElement>(`details[data-key="${CSS.escape(key)}"]`)
    if (after !== null) after.open = before.open
  }
}
