import type { DeliveryReport } from '@service-signature/core/node'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { onTestFinished } from 'vitest'

/** The reports on the diagnostics channel, until the test ends. */
export function listenToReports(): readonly DeliveryReport[] {
  const reports: DeliveryReport[] = []
  const listen = (report: unknown) => reports.push(report as DeliveryReport)
  subscribe('service-signature:delivery', listen)
  onTestFinished(() => void unsubscribe('service-signature:delivery', listen))
  return reports
}
