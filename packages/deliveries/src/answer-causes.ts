import { answerLine } from './answer-text.js'
import type { Cause, CauseName } from './cause.js'

/** What an endpoint answered, and to what. */
export interface SeenAnswer {
  readonly status: number
  /** Values by the lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
  readonly url: string
  readonly sentBytes: number
  /** When it arrived, in milliseconds. */
  readonly at: number
  /** Of the secret that the delivery was signed with. */
  readonly fingerprint?: string
}

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
    'Use http: on this machine, or start this command with NODE_EXTRA_CA_CERTS=<file of the authority>.',
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

/** Why there is no answer, by the message of the error. */
export function causeOfSilence(error: string, url: string): Cause {
  const [, cause, title, fix] = SILENCES.find(([pattern]) => pattern.test(error))!
  const { host, hostname } = new URL(URL.canParse(url) ? url : 'http://-/')
  const shown = cause === 'unknown-host' ? hostname : host
  return { cause, certainty: 'known', title: title.replace('{host}', shown), detail: `${error.trim()}.`, fix }
}

interface Answered extends SeenAnswer {
  /** A line of the answer. */
  readonly said: string
  readonly header: (name: string) => string | undefined
}

/** Returns the evidence, if the answer is of this kind. */
type Evidence = (answer: Answered) => string | undefined

/** How our adapters answer 403 where the host does not answer for them. */
const FORBIDDEN = '{"title":"Forbidden","status":403}'

const LOGIN = /\bjwt\b|bearer|token\b|authorization|credentials|log.?in\b|sign.?in\b|not authenticated/i

const NO_HEADER =
  /missing (?:required )?headers?\b|\bmissing\b.{0,30}\bsignature|signature\b.{0,20}\b(?:missing|required|absent|not (?:found|present|provided|set))|\b(?:no|without)(?: an?| the)? (?:[\w-]+-)?signature\b(?! match)/i

/** What says of itself who answered. */
const SERVERS = /nginx|apache|cloudflare|caddy|envoy|awselb|cloudfront|iis/i

/** What the answer itself gives away. The first that fits is the cause. The code and the sentence of an error are those of core. */
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
    says(/body was read before its bytes could be verified/, 'ERR_BODY_CONSUMED'),
    'body-consumed',
    'A body parser took the body first',
    'Mount the verification before express.json() and every other parser. The log names the line to change.',
  ],
  [
    says(
      /"(?:data|chunk)" argument must be|raw.?body|\[object Object\]|payload must be|unexpected token '?o'? in/i,
    ),
    'body-consumed',
    'Your code does not have the raw body',
    "Use express.raw({ type: '*/*' }) or its like for this route, before every parser.",
  ],
  [
    ({ status, body, said }) =>
      /ERR_(?:ACCOUNT|MODE)_UNEXPECTED|expected here/.test(body) ||
      (status === 403 && (said.endsWith('The delivery was refused.') || body === FORBIDDEN))
        ? answered(status)
        : undefined,
    'other-account',
    'Your endpoint expects another account or mode',
    'Add the account and the mode of this delivery to "expect", or send it elsewhere.',
  ],
  [
    says(
      /No key is available|"key" argument must|secret\b.{0,30}\b(?:undefined|missing|empty|not (?:set|configured))/i,
      'ERR_SECRET_UNAVAILABLE',
    ),
    'no-secret',
    'Your endpoint has no secret',
    'Give it the secret of this sandbox, and restart it. Its log has the reason.',
  ],
  [
    says(/replay store did not answer/, 'ERR_REPLAY_STORE_UNAVAILABLE'),
    'store-unavailable',
    'The replay store of your endpoint does not answer',
    'Start the store, or correct its address. The log of your endpoint has the reason.',
  ],
  [
    says(/same delivery is being handled/, 'ERR_DELIVERY_IN_PROGRESS'),
    'in-progress',
    'The same delivery is still being handled',
    'Wait for the retry: the claim of a process that died ends after leaseSeconds.',
  ],
  [
    ({ body, fingerprint }) => {
      const tried = fingerprintsIn(body)
      return fingerprint !== undefined && tried.length > 0 && !tried.includes(fingerprint)
        ? `It tried ${tried.join(', ')}; the secret in use is ${fingerprint}.`
        : undefined
    },
    'other-secret',
    'Your endpoint has another secret',
    'Give it the secret of this sandbox, and restart it.',
  ],
  [
    ({ body, fingerprint }) =>
      fingerprint !== undefined && fingerprintsIn(body).includes(fingerprint)
        ? `It tried the right secret, ${fingerprint}, with another body or header.`
        : undefined,
    'body-changed',
    'The body is changed before it is verified',
    'Verify the raw bytes, before every parser. A proxy in front must not change them.',
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
    ({ status, said }) =>
      status < 500 && /csrf|xsrf|authenticity.?token|page expired/i.test(said) ? answered(status) : undefined,
    'csrf',
    'A check against CSRF refused it',
    'Leave this path out of that check.',
  ],
  [
    ({ status, said }) =>
      [401, 403].includes(status) && !isOfSignature(said) && LOGIN.test(said) ? answered(status) : undefined,
    'login',
    'Probably a login guards the address',
    'Leave this path out of the login.',
    'probable',
  ],
  [
    ({ status, body, url }) =>
      status === 404 && /cannot post|not found/i.test(body)
        ? `There is no ${new URL(url).pathname}.`
        : undefined,
    'no-route',
    'There is no route for POST at this path',
    'Correct the path of the address, or of the route.',
  ],
  [
    ({ status, sentBytes }) => (status === 413 ? `The body has ${sentBytes} bytes.` : undefined),
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
  [
    says(/compressed or otherwise encoded/, 'ERR_BODY_ENCODED'),
    'body-changed',
    'A proxy encodes the body before your endpoint gets it',
    'Have the proxy pass the body on as it arrives.',
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
    ({ status, header, body }) =>
      isRefusal(status) && SERVERS.test(header('server') ?? '') && SERVERS.test(body)
        ? answered(status, header('server'))
        : undefined,
    'proxy',
    'Probably the proxy refused it, not your endpoint',
    'Look into the log of the proxy, and have it pass this path on.',
    'probable',
  ],
  [
    says(NO_HEADER, 'ERR_SIGNATURE_MISSING'),
    'header-lost',
    'Your endpoint does not find the header Service-Signature',
    'Read the header of this name, and have a proxy pass it on.',
  ],
  [
    skewOf,
    'clock',
    'Probably the clock of your endpoint',
    'Set the clock of its machine, container or virtual machine (NTP).',
    'probable',
  ],
  [
    (answer) =>
      isAboutTime(answer) && secondsAhead(answer) !== undefined
        ? 'It was just signed, and the Date of the answer is right.'
        : undefined,
    'time-unit',
    'Probably your code takes the seconds of "t" for milliseconds',
    'Compare "t" with Date.now() / 1000, and allow 300 s.',
    'probable',
  ],
  [
    (answer) => (isAboutTime(answer) ? 'It was just signed.' : undefined),
    'clock',
    'Is its clock wrong, or "t" taken for milliseconds?',
    'Set its clock (NTP), and compare "t" with Date.now() / 1000.',
    'ask',
  ],
  [
    says(/(?<![/\w])v1\b(?!\/)/i),
    'api-key',
    'Probably v1 is verified with another key than the API key',
    'Verify v3 with the secret, or v1 with the API key of this account and mode.',
    'probable',
  ],
  [
    ({ status, said }) =>
      status >= 500 && /^\w*(?:Error|Exception)\b/.test(said) && !isOfSignature(said)
        ? answered(status)
        : undefined,
    'handler',
    'Your code threw an error',
    'Look for it in the log of your endpoint.',
  ],
]

/** The line of the answer is of this kind, or its body names the code. */
function says(pattern: RegExp, code?: string): Evidence {
  return ({ status, body, said }) =>
    pattern.test(said) || (code !== undefined && body.includes(code)) ? answered(status) : undefined
}

function withStatus(...statuses: readonly number[]): Evidence {
  return ({ status, header }) => (statuses.includes(status) ? answered(status, header('server')) : undefined)
}

function answered(status: number, server?: string): string {
  return `It answered ${status}${server === undefined ? '' : ` (Server: ${server})`}.`
}

/** The cause that the answer of an endpoint shows by itself. */
export function causeInAnswer(answer: SeenAnswer): Cause | undefined {
  const header = (name: string) => [answer.headers[name] ?? []].flat()[0]
  const said = answerLine(answer.body)
  const given = { ...answer, said: said ?? '', header }
  for (const [evidence, cause, title, fix, certainty = 'known'] of SIGNS) {
    const detail = evidence(given)
    if (detail !== undefined) return { cause, certainty, title, detail, fix, said }
  }
  return undefined
}

/** Statuses with which a signature is refused. */
export function isRefusal(status: number): boolean {
  return [400, 401, 403].includes(status)
}

/** Whether a text is about a signature that does not match: an error handler may answer 500 to that, too. */
export function isOfSignature(said: string): boolean {
  return /signature|delivery was refused/i.test(said)
}

function fingerprintsIn(text: string): readonly string[] {
  return text.match(/sha256:[\da-f]{8}/g) ?? []
}

// The window of a verifier, by default.
const OLDEST_SECONDS = 300
const NEWEST_SECONDS = 60

/** How far the clock of the endpoint is ahead, if its answer has a Date. */
function secondsAhead({ header, at }: Answered): number | undefined {
  const date = Date.parse(header('date') ?? '')
  return Number.isNaN(date) ? undefined : Math.round((date - at) / 1000)
}

/** How far the clock of the endpoint is off, if a verifier refuses for that. */
function skewOf(answer: Answered): string | undefined {
  const ahead = secondsAhead(answer) ?? 0
  if (!isRefusal(answer.status) || (ahead <= OLDEST_SECONDS && ahead >= -NEWEST_SECONDS)) return undefined
  return `Its answer has the Date ${answer.header('date')!}, which is ${spanOf(Math.abs(ahead))} ${
    ahead > 0 ? 'ahead of' : 'behind'
  } the sandbox. A signature is valid for ${OLDEST_SECONDS} s.`
}

function isAboutTime({ status, body, said }: Answered): boolean {
  const words =
    /timestamp|too old|tolerance|in the future|\b(?:signature|webhook|delivery|event|request) (?:has |is )?expired/i
  return isRefusal(status) && (words.test(said) || body.includes('ERR_TIMESTAMP_'))
}

function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
