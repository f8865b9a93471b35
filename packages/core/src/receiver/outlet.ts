import type { DeliveryReport, Outlet } from './report.js'

/**
 * Where reports and warnings go. It comes from the entry of the runtime and is not looked up: the edge runtime of Next
 * throws on every use of a function of Node's `process`, and its build fails.
 */
export interface Platform {
  /** Absent where there is no diagnostics channel. */
  readonly deliveries?: {
    readonly hasSubscribers: boolean
    readonly publish: (report: DeliveryReport) => void
  }
  readonly warn: (message: string, detail: string) => void
}

export function openOutlet({ deliveries, warn }: Platform): Outlet {
  const warned = new Set<string>()
  return {
    publish(report) {
      if (deliveries?.hasSubscribers === true) deliveries.publish(report())
    },
    warn(message, cause) {
      // Each once: else a flood of junk is a flood of warnings.
      if (warned.has(message)) return
      warned.add(message)
      warn(message, cause instanceof Error ? String(cause.stack) : 'it threw no Error')
    },
  }
}
