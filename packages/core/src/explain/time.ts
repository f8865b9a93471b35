import type { Freshness } from '../freshness.js'
import type { Advice, Step } from './case.js'
import type { TimeHypothesis } from './names.js'

const HOUR = 3600
/** The widest there is. */
const MAX_ZONE_HOURS = 14
/** How far from a whole hour the travel of a delivery and two clocks may take it. */
const MINUTE = 60
/** Beyond that, a clock is not wrong by accident any more. */
const MAX_SKEW = HOUR

export const timeAdvice: readonly (Advice & { readonly name: TimeHypothesis })[] = [
  {
    name: 'time-zone',
    where:
      'In a sender of your own that takes its local time for UTC, or on a machine whose clock was set to local time.',
    mend: 'Take t from a clock that knows no zone: Math.floor(Date.now() / 1000), int(time.time()); not datetime.utcnow().timestamp().',
  },
  {
    name: 'clock-skew',
    where:
      'On a virtual machine that was suspended, in a container on a laptop that slept, or on a server without NTP. A delivery that waited in a queue looks the same.',
    mend: 'Set the clock of this machine and keep it right: timedatectl set-ntp true, chronyc tracking. If deliveries wait in front of the verifier, verify them where they arrive.',
  },
  {
    name: 'replay',
    where:
      'In a test with a recorded delivery, a tool that sends an old request again, a queue that was stopped; or with an attacker.',
    mend: 'For a recorded delivery, give the time of the recording: now: () => t * 1000. In production there is nothing to mend: refusing it is right.',
  },
]

/** What kind of fault the time looks like, when the signature is right and the time is out of the window. */
export function timeFault({ verdict, ageSeconds }: Freshness): Step | undefined {
  if (verdict === 'fresh') return undefined
  const seconds = Math.abs(ageSeconds)
  const hours = Math.round(seconds / HOUR)
  const said = `the signature is right, but it was made ${distance(ageSeconds)}`
  if (hours >= 1 && hours <= MAX_ZONE_HOURS && Math.abs(seconds - hours * HOUR) <= MINUTE) {
    return {
      name: 'time-zone',
      happened: `${said}, nearly a whole number of hours, which looks like a time zone`,
    }
  }
  if (ageSeconds < 0 || seconds <= MAX_SKEW) {
    return { name: 'clock-skew', happened: `${said}, which looks like a clock that is wrong` }
  }
  return { name: 'replay', happened: `${said}, which looks like a recorded delivery that was sent again` }
}

const UNITS = [
  [86_400, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
] as const

/** `312 s (5 min) ago`: how far away a time is, and on which side. */
export function distance(ageSeconds: number): string {
  const whole = Math.round(Math.abs(ageSeconds))
  const unit = UNITS.find(([size]) => whole >= 2 * size)
  const said = unit === undefined ? `${whole} s` : `${whole} s (${Math.floor(whole / unit[0])} ${unit[1]})`
  return `${said} ${ageSeconds < 0 ? 'ahead' : 'ago'}`
}
