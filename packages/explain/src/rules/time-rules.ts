import type { timeWindowVerdict } from '@service-signature/core/verify/time-window'
import type { Advice, Fault } from './fault-rule.js'

export type Age = ReturnType<typeof timeWindowVerdict>

export const TIME_FAULTS = {
  'clock-skew': {
    where: 'On a machine that was suspended or has no NTP, or after a queue where deliveries waited.',
    fix: 'Set the clock of this machine and keep it right: timedatectl set-ntp true, chronyc tracking. If deliveries wait before the verifier, verify them where they arrive.',
  },
  'time-zone': {
    where: 'In a sender that takes local time for UTC, or on a machine whose clock has local time.',
    fix: 'Take t from a clock without a time zone: Math.floor(Date.now() / 1000), int(time.time()); not datetime.utcnow().timestamp().',
  },
  replay: {
    where: 'In a test with a recorded delivery, a tool that sends it again, or with an attacker.',
    fix: 'For a recorded delivery, give the time of the recording: now: () => t * 1000. In production there is nothing to fix: the refusal is right.',
  },
} satisfies Record<string, Advice>

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const MAX_ZONE_HOURS = 14

/** The kind of fault of the time, when the signature is right and the time is outside of the window. */
export function timeFault({ verdict, ageSeconds }: Age): Fault | undefined {
  if (verdict === 'in time') return undefined
  const seconds = Math.abs(ageSeconds)
  const hours = Math.round(seconds / HOUR)
  const signed = `the signature is right, but it was made ${distance(ageSeconds)}`
  // The travel of a delivery and two clocks may take it a minute away from a whole hour.
  if (hours >= 1 && hours <= MAX_ZONE_HOURS && Math.abs(seconds - hours * HOUR) <= MINUTE) {
    const happened = `${signed}, nearly a whole number of hours, which looks like a time zone`
    return { name: 'time-zone', happened }
  }
  // A clock that is slow by more than an hour is rarely an accident.
  if (ageSeconds < 0 || seconds <= HOUR) {
    return { name: 'clock-skew', happened: `${signed}, which looks like a clock that is wrong` }
  }
  return { name: 'replay', happened: `${signed}, which looks like a recorded delivery that was sent again` }
}

const UNITS = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
] as const

/** `312 s (5 min) ago`: how far away a time is, and in which direction. */
export function distance(ageSeconds: number): string {
  const whole = Math.round(Math.abs(ageSeconds))
  const unit = UNITS.find(([size]) => whole >= 2 * size)
  const rounded = unit === undefined ? '' : ` (${Math.floor(whole / unit[0])} ${unit[1]})`
  return `${whole} s${rounded} ${ageSeconds < 0 ? 'ahead' : 'ago'}`
}
