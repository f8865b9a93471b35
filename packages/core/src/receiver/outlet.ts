import type { Outlet } from './report.js'

const CHANNEL = 'service-signature:delivery'

/** Not imported, so that this runs where there is no Node, and bundles for it. */
type Platform = Partial<Pick<NodeJS.Process, 'emitWarning' | 'getBuiltinModule'>>

/** Diagnostics channel and warnings of Node, Bun and Deno; elsewhere the console alone. */
export function openOutlet(platform: Platform = thisPlatform()): Outlet {
  const deliveries = platform.getBuiltinModule?.('diagnostics_channel').channel(CHANNEL)
  const warned = new Set<string>()
  return {
    publish(report) {
      if (deliveries?.hasSubscribers === true) deliveries.publish(report())
    },
    warn(message, cause) {
      // Each once: else a flood of junk is a flood of warnings.
      if (warned.has(message)) return
      warned.add(message)
      const detail = cause instanceof Error ? String(cause.stack) : 'it threw no Error'
      if (platform.emitWarning === undefined) console.warn(`ServiceSignatureWarning: ${message}\n${detail}`)
      else platform.emitWarning(message, { type: 'ServiceSignatureWarning', detail })
    },
  }
}

function thisPlatform(): Platform {
  return (globalThis as { readonly process?: Platform }).process ?? {}
}
