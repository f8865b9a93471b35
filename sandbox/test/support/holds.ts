declare module 'vitest' {
  interface TaskMeta {
    holds?: readonly string[]
  }
}

/**
 * The statements of `docs/specification.md` that a test holds, by their `<a id>`. A test without such a
 * statement begins with "our choice: ".
 */
export function holds(...statements: readonly string[]) {
  return { meta: { holds: statements } }
}
