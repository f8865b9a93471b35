import { signal, useComputed } from '@preact/signals'
import { agoText, inText, timeText } from '../format.js'

/** The time, once a second. Only the texts that show it are drawn again. */
const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, 1000)

interface AgoProps {
  readonly at: string
  /** With the time of the day before it. */
  readonly isExact?: boolean
}

/** How long ago it was, with the full time as a title. */
export function Ago({ at, isExact = false }: AgoProps) {
  const time = timeText(Date.parse(at))
  const text = useComputed(() => agoText(Date.parse(at), now.value))
  return (
    <time dateTime={at} title={time}>
      {isExact && `${time.slice(-8)}, `}
      {text}
    </time>
  )
}

/** How long it takes until then. */
export function Countdown({ to }: { readonly to: string }) {
  const text = useComputed(() => inText(Date.parse(to), now.value))
  return (
    <time dateTime={to} title={timeText(Date.parse(to))}>
      {text}
    </time>
  )
}
