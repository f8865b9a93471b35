/** What happens to a file of the project. */
export type Change = NewText | Unchanged

export interface NewText {
  /** A new file, or an existing one, which needs consent. */
  readonly kind: 'create' | 'change'
  readonly path: string
  readonly about: string
  readonly command?: undefined
  /** All of the file. */
  readonly text: string
  /** The permissions of a new file. */
  readonly mode?: number
  /** Another file that must be written, too. */
  readonly needs?: string
  /** What is left to do if it is not written. */
  readonly otherwise: Todo
}

/** A file that has everything already, or what only the user can do. */
interface Unchanged extends Todo {
  readonly kind: 'keep' | 'todo'
  readonly path?: string
  readonly text?: undefined
}

/** What is left to do, and the command that does it. */
export interface Todo {
  readonly about: string
  readonly command?: string | undefined
}
