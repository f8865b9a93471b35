declare module 'vitest' {
  interface TaskMeta {
    holds?: readonly string[]
  }
}

/**
 * The statements of `docs/specification.md` that a test holds, by their `<a id>`. What the specification leaves open is a test
 * whose name begins with "our choice: ".
 */
export function holds(...statements: readonly string[]) {
  return { meta: { holds: statements } }
}
