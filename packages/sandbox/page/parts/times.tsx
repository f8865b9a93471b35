import { signal, useComputed } from '@preact/signals'
import { agoText, inText, timeText } from '../format.js'

/** The time, once a second. Only the texts that show it are drawn again. */
export const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, 1000)

/** How long ago it was, with the full time as a title. */
export function Ago({ at }: { readonly at: string }) {
  const time = Date.parse(at)
  const text = useComputed(() => agoText(Date.parse(at), now.value))
  return (
    <time dateTime={at} title={timeText(time)}>
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

/** The full time, to the second. */
export function FullTime({ at }: { readonly at: string }) {
  return <time dateTime={at}>{timeText(Date.parse(at))}</time>
}
