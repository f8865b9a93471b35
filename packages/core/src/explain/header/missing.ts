import type { Version } from '../../versions.js'
import type { Reading, Step } from '../case.js'
import { fault } from './faults.js'

/** The fault that a required version is not there, with what is there instead. */
export function missingVersions({ digests }: Reading, listed: readonly Version[]): readonly Step[] {
  const labels = [...new Set(digests.map(({ label }) => label))].sort()
  const missing = listed.filter((version) => !labels.includes(version))
  if (missing.length === 0) return []
  const there = labels.length === 0 ? 'no digest at all' : labels.join(', ')
  return [
    fault(
      'header-version-missing',
      `the header has no ${missing.join(', ')}, which is required, but ${there}`,
    ),
  ]
}
