import type { Cause, CauseName, Situation } from './cause.js'
import { jsonProblem } from './reprint.js'

/** A cause without its evidence. It is known, if nothing else is said. */
type Known = readonly [cause: CauseName, title: string, fix: string, certainty?: Cause['certainty']]

/** Why there is no answer, by the error. `host` is that of the address. */
const SILENCES: readonly (readonly [error: RegExp, ...Known])[] = [
  [
    /ECONNREFUSED/,
    'not-listening',
    'Nothing listens at {host}',
    'Start your endpoint, or correct the port. In a container, localhost is the container itself.',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'unknown-host', 'The name {host} is unknown', 'Correct the address.'],
  [
    /^There was no answer within/,
    'slow',
    'Your endpoint did not answer in time',
    'Answer once the event is stored, and do the work after that. A breakpoint holds an answer back, too.',
  ],
  [
    /certificate|altnames/i,
    'certificate',
    'The certificate of {host} is not trusted',
    'Use http: on this machine, or start the sandbox with NODE_EXTRA_CA_CERTS=<file of the authority>.',
  ],
  [/wrong version number|EPROTO|SSL/, 'no-tls', '{host} does not use TLS', 'Use http: in the address.'],
  [
    /^Parse Error/,
    'not-http',
    '{host} does not speak HTTP',
    'Correct the port. If the endpoint uses TLS, use https: in the address.',
  ],
  [
    /socket hang up|ECONNRESET/,
    'hung-up',
    'Your endpoint hung up without an answer',
    'Look for a crash in its log. If it uses TLS, use https: in the address.',
  ],
  [/^The address /, 'address', 'The sandbox sends nothing to this address', 'Correct the address.'],
  [/(?:)/, 'no-answer', 'There is no answer', 'Check the address, and the network in between.'],
]

export function causeOfSilence({ attempt, url }: Situation): Cause {
  const error = attempt.error!
  const [, cause, title, fix] = SILENCES.find(([pattern]) => pattern.test(error))!
  const { host, hostname } = new URL(URL.canParse(url) ? url : 'http://-/')
  const shown = cause === 'unknown-host' ? hostname : host
  return { cause, certainty: 'known', title: title.replace('{host}', shown), detail: `${error}.`, fix }
}

interface Answered {
  readonly status: number
  readonly body: string
  /** Values by the lower-case name. */
  readonly header: (name: string) => string | undefined
}

/** Returns the evidence, if the answer is of this kind. */
type Evidence = (answer: Answered, situation: Situation) => string | undefined

/** What the answer itself gives away. The first that fits is the cause. */
const SIGNS: readonly (readonly [evidence: Evidence, ...Known])[] = [
  [
    ({ status, header }) =>
      status >= 300 && status < 400
        ? `It answered ${status} with the Location ${header('location') ?? '(none)'}.`
        : undefined,
    'redirect',
    'Your endpoint redirects',
    'Send to the new address: redirects are not followed.',
  ],
  [
    named('ERR_BODY_CONSUMED'),
    'body-consumed',
    'A body parser took the body first',
    'Mount the verification before express.json() and every other parser. The log names the line to change.',
  ],
  [
    named('ERR_SIGNATURE_MISSING'),
    'header-lost',
    'The header Service-Signature is lost',
    'Have the proxy pass it on.',
  ],
  [
    ({ status, body }, { fingerprint }) => {
      const tried = fingerprintsIn(body)
      return isRefusal(status) && tried.length > 0 && !tried.includes(fingerprint)
        ? `It tried ${tried.join(', ')}; the secret in use is ${fingerprint}.`
        : undefined
    },
    'other-secret',
    'Your endpoint has another secret',
    'Give it the secret of this sandbox, and restart it.',
  ],
  [
    ({ status, body }, { fingerprint }) =>
      isRefusal(status) && fingerprintsIn(body).includes(fingerprint)
        ? `It tried the right secret, ${fingerprint}, with another body or header.`
        : undefined,
    'body-changed',
    'The body is changed before it is verified',
    'Verify the raw bytes, before every parser. A proxy in front must not change them.',
  ],
  [
    ({ status }, { body }) => (status === 400 ? jsonProblem(body) : undefined),
    'not-json',
    'The body is not JSON',
    'Compose an event that is JSON.',
  ],
  [
    ({ status, header }) => {
      const challenge = /^(?:Basic|Bearer|Digest|Negotiate)\b/i.exec(header('www-authenticate') ?? '')
      return status === 401 && challenge !== null ? `It asks for ${challenge[0]} authentication.` : undefined
    },
    'login',
    'A login guards the address',
    'Leave this path out of the login.',
  ],
  [
    ({ status, body }) =>
      (status === 403 || status === 419) && /csrf|authenticity.?token|page expired/i.test(body)
        ? `It answered ${status}, and its text is about a form.`
        : undefined,
    'csrf',
    'A check against CSRF refused it',
    'Leave this path out of that check.',
  ],
  [
    ({ status, body }, { url }) =>
      status === 404 && /cannot post|not found/i.test(body)
        ? `There is no ${new URL(url).pathname}.`
        : undefined,
    'no-route',
    'There is no route for POST at this path',
    'Correct the path of the address, or of the route.',
  ],
  [
    ({ status }, { body }) => (status === 413 ? `The body has ${Buffer.byteLength(body)} bytes.` : undefined),
    'too-large',
    'The body is over a limit of your endpoint',
    'Raise the limit: bodyLimit, that of the body parser, or that of the proxy.',
  ],
  [
    withStatus(404, 410),
    'no-route',
    'Probably no route for POST at this path',
    'Correct the path of the address, or of the route.',
    'probable',
  ],
  [withStatus(405), 'method', 'The route does not take POST', 'Use app.post(), or its like.'],
  [withStatus(415), 'media-type', 'Your endpoint does not take application/json', 'Accept any Content-Type.'],
  [
    withStatus(409),
    'in-progress',
    'Probably the same delivery is still being handled',
    'Wait for the retry: the claim of a process that died ends after leaseSeconds.',
    'probable',
  ],
  [withStatus(429), 'rate-limit', 'A limit of requests refused it', 'Leave this path out of that limit.'],
  [
    withStatus(502, 504),
    'proxy',
    'A proxy got no answer from your endpoint',
    'Start your endpoint, or correct the proxy.',
  ],
  [
    withStatus(503),
    'unavailable',
    'Is its secret or its store unavailable?',
    'Look for error.cause in the log of your endpoint.',
    'ask',
  ],
  [
    ({ status, header }) =>
      isRefusal(status) &&
      SERVERS.test(header('server') ?? '') &&
      header('content-type')?.startsWith('text/html')
        ? answered(status, header('server'))
        : undefined,
    'proxy',
    'Probably the proxy refused it, not your endpoint',
    'Look into the log of the proxy, and have it pass this path on.',
    'probable',
  ],
  [
    skewOf,
    'clock',
    'Probably the clock of your endpoint',
    'Set the clock of its machine, container or virtual machine (NTP).',
    'probable',
  ],
]

function named(code: string): Evidence {
  return ({ body }) => (body.includes(code) ? `Its answer names ${code}.` : undefined)
}

function withStatus(...statuses: readonly number[]): Evidence {
  return ({ status, header }) => (statuses.includes(status) ? answered(status, header('server')) : undefined)
}

function answered(status: number, server: string | undefined): string {
  return `It answered ${status}${server === undefined ? '' : ` (Server: ${server})`}.`
}

/** What says of itself who answered. */
const SERVERS = /nginx|apache|cloudflare|caddy|envoy|awselb|cloudfront|iis/i

/** The cause that the answer of an endpoint shows by itself. */
export function causeInAnswer(situation: Situation): Cause | undefined {
  const { answer, status } = situation.attempt
  const header = (name: string) => [answer!.headers[name] ?? []].flat()[0]
  const given = { status: status!, body: answer!.body, header }
  for (const [evidence, cause, title, fix, certainty = 'known'] of SIGNS) {
    const detail = evidence(given, situation)
    if (detail !== undefined) return { cause, certainty, title, detail, fix }
  }
  return undefined
}

/** Statuses with which a signature is refused. */
export function isRefusal(status: number): boolean {
  return [400, 401, 403].includes(status)
}

function fingerprintsIn(text: string): readonly string[] {
  return text.match(/sha256:[\da-f]{8}/g) ?? []
}

// The window of a verifier, by default.
const OLDEST_SECONDS = 300
const NEWEST_SECONDS = 60

/** How far the clock of the endpoint is off, if a verifier refuses for that. */
function skewOf({ status, header }: Answered, { attempt }: Situation): string | undefined {
  const date = Date.parse(header('date') ?? '')
  if (!isRefusal(status) || Number.isNaN(date)) return undefined
  const ahead = Math.round((date - attempt.at - attempt.durationMs) / 1000)
  if (ahead <= OLDEST_SECONDS && ahead >= -NEWEST_SECONDS) return undefined
  return `Its answer has the Date ${header('date')!}, which is ${spanOf(Math.abs(ahead))} ${
    ahead > 0 ? 'ahead of' : 'behind'
  } the sandbox. A signature is valid for ${OLDEST_SECONDS} s.`
}

function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
