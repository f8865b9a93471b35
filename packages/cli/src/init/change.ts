/** What happens to a file of the project. */
export type Change = NewText | Kept | Todo

export interface NewText {
  /** A new file, or an existing one, which needs consent. */
  readonly kind: 'create' | 'change'
  readonly path: string
  readonly about: string
  /** All of the file. */
  readonly text: string
  /** Another file that must be written, too. */
  readonly needs?: string
  /** What is left to do if it is not written. */
  readonly otherwise: string
}

/** A file that has everything already. */
interface Kept {
  readonly kind: 'keep'
  readonly path: string
  readonly about: string
  readonly text?: undefined
}

/** What only the user can do. */
interface Todo {
  readonly kind: 'todo'
  readonly path?: undefined
  readonly about: string
  readonly text?: undefined
}
