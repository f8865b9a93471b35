import { vi } from 'vitest'

type Warning = Error & { readonly code?: string }

/** The warnings of the process from now on, in place of its standard error. */
export function watchWarnings() {
  const warnings: Warning[] = []
  vi.spyOn(process, 'emitWarning').mockImplementation(((message: string, options: { type: string }) => {
    warnings.push(Object.assign(new Error(message), { name: options.type, ...options }))
  }) as typeof process.emitWarning)
  return { warnings }
}
