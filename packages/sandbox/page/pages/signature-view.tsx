import { useComputed } from '@preact/signals'
import type { Attempt } from '../api/types.js'
import { spanText, timeText } from '../format.js'
import { CopyButton } from '../parts/button.js'
import { now } from '../parts/times.js'

const SIGNATURE = 'Service-Signature'

const MEANINGS: Readonly<Record<string, string>> = {
  v1: "HMAC of the timestamp and the body without white space, with the account's API key",
  v2: 'HMAC of the timestamp and the canonical JSON of the body, with the signing secret',
  v3: 'HMAC of the timestamp and the Base64 of the exact bytes, with the signing secret',
}

/** The signature header taken apart, and the other headers. */
export function SignatureView({ attempt }: { readonly attempt: Attempt }) {
  const { headers, at } = attempt
  const value = headers[SIGNATURE]
  const others = Object.entries(headers).filter(([name]) => name !== SIGNATURE)
  return (
    <>
      <div class="view-tools">
        <h3>{SIGNATURE}</h3>
        {value !== undefined && <CopyButton text={value} />}
      </div>
      {value === undefined ? (
        <p class="view-text">This request had no {SIGNATURE}: it was left out on purpose.</p>
      ) : (
        <dl class="signature">
          {elementsOf(value).map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{text}</code>
                <span class="soft">
                  {name === 't' ? (
                    <TimeMeaning seconds={Number(text)} sent={Date.parse(at)} />
                  ) : (
                    MEANINGS[name]
                  )}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div class="view-tools">
        <h3>Other headers</h3>
      </div>
      <HeaderList headers={others} />
    </>
  )
}

function elementsOf(value: string): readonly (readonly [string, string])[] {
  return value.split(',').map((element) => {
    const [name = '', ...text] = element.split('=')
    return [name, text.join('=')]
  })
}

function TimeMeaning({ seconds, sent }: { readonly seconds: number; readonly sent: number }) {
  const before = Math.round(sent / 1000) - seconds
  const age = useComputed(() => spanText(now.value - seconds * 1000))
  return (
    <>
      Signed at {timeText(seconds * 1000)},{' '}
      {before < 2 ? 'when it was sent' : `${spanText(before * 1000)} before it was sent`}; now {age} old
    </>
  )
}

export function HeaderList({ headers }: { readonly headers: readonly (readonly [string, unknown])[] }) {
  return (
    <dl class="facts header-list">
      {headers.map(([name, value]) => (
        <>
          <dt class="mono">{name}</dt>
          <dd class="mono">{[value].flat().join(', ')}</dd>
        </>
      ))}
    </dl>
  )
}
