import type { HypothesisName } from './fault-names.js'

/** What a report says of a fault in general; what happened exactly, its rule says. docs/explain.md has the same list. */
export interface Advice {
  /** The fault in a few words. */
  readonly what: string
  /** Where it usually happens. */
  readonly where: string
  readonly fix: string
}

const AS_ARRIVED =
  "Pass the value as it arrived: request.headers['service-signature'], or headers.get('service-signature')."
const TEST_SENDER = 'In a sender of your own: a test, a mock, a script.'
const SECRET_CALL = 'GET /api/v1/organizations/get-webhook-signature-key/'
const COMPARE =
  'Compare its fingerprint with that of the key that the service has: "npx service-signature secret --base-url <url>" prints it.'
const PARSED =
  'After express.json() and the like, with JSON.stringify(req.body) passed to the verifier; in a forwarder, tunnel or ' +
  'queue that parses what it passes on; in a log or database from which a delivery is replayed.'
const RAW_BODY =
  "Verify the bytes that arrived, before any JSON parser: app.post('/webhooks', serviceSignature({ secret }), handler) " +
  'above app.use(express.json()); elsewhere, pass request.arrayBuffer(), rawBody or the stream to verify, never JSON.stringify(body).'

/** Every fault, by what is wrong: the header, the key, the body, the time. */
export const ADVICE: Readonly<Record<HypothesisName, Advice>> = {
  'header-repeated': {
    what: 'two signatures in one header',
    where: 'After two proxies that each add the header, or on a host that gives its values as a list.',
    fix: `${AS_ARRIVED} If two hops add it, let one replace it (proxy_set_header) instead.`,
  },
  'header-name-in-value': {
    what: 'its name, or another word, before the value',
    where: 'In a line that was copied from a log or a request tool, with its name.',
    fix: "Pass only the text after 'Service-Signature: '.",
  },
  'header-quoted': {
    what: 'quotes around or within it',
    where: 'In a log or a CSV file from which the header was copied, or a shell that passes quotes on.',
    fix: `${AS_ARRIVED} It contains no quotes.`,
  },
  'header-separators': {
    what: 'other separators, line breaks, folded lines',
    where: `${TEST_SENDER} Or in code that prints the header from its parts.`,
    fix: 'Join the elements by a comma alone, and name and value by "=": t=<digits>,v1=<hex>,v2=<hex>,v3=<hex>.',
  },
  'header-percent-encoded': {
    what: 'percent-encoded or escaped (`%3D`, `\\u003d`), or base64 as a whole',
    where: 'In a gateway or a queue that carries headers as part of a URL or a form.',
    fix: 'Decode it once before you verify: decodeURIComponent(value).',
  },
  'header-element-names': {
    what: 'other names than t, v1, v2, v3',
    where: `${TEST_SENDER} The names are t, v1, v2 and v3, in lower case.`,
    fix: 'Use the names of the payment service: t=<digits>,v3=<hex>.',
  },
  'header-digest-prefix': {
    what: '`sha256=` before a digest',
    where: `${TEST_SENDER} Other services put "sha256=" before the digest.`,
    fix: 'Write the 64 hex digits alone: v3=<hex>.',
  },
  'header-digest-base64': {
    what: 'a digest in base64',
    where: `${TEST_SENDER} Digests of this service are hex, not base64.`,
    fix: "Print the digest as hex: createHmac('sha256', secret).update(message).digest('hex').",
  },
  'header-hex-upper-case': {
    what: 'a digest in upper case',
    where: `${TEST_SENDER} C# (Convert.ToHexString, BitConverter) and some databases print hex in upper case.`,
    fix: "Print the digest in lower case: digest('hex'), Convert.ToHexString(hash).ToLowerInvariant().",
  },
  'header-milliseconds': {
    what: 't in milliseconds or smaller units',
    where: `${TEST_SENDER} Date.now() and System.currentTimeMillis() count milliseconds.`,
    fix: 'Count seconds: Math.floor(Date.now() / 1000), in the header and in the signed message.',
  },
  'header-time-format': {
    what: 't as a date or with decimals',
    where: `${TEST_SENDER} Python's time.time() has decimals, toISOString() is not a number.`,
    fix: 'Write whole seconds since 1970 as digits: Math.floor(Date.now() / 1000), int(time.time()).',
  },
  'header-cut': {
    what: 'cut',
    where:
      'In a column or a log with a limit (the header has 216 characters), or a line that was copied in part.',
    fix: 'Keep and pass on the header as a whole: a column of text instead of varchar(128), no limit on its length.',
  },
  'header-version-missing': {
    what: 'without a version that is required',
    where: 'With an older sender, which sends v1 and v2 alone, or a sender of your own.',
    fix: 'List in "versions" what the sender sends, such as versions: [\'v2\'], or have it send v3, which alone signs every byte.',
  },
  'header-digests-swapped': {
    what: 'digests under the names of other versions',
    where: 'In a sender of your own, or in code that takes the header apart and prints it again.',
    fix: 'Put each digest after the name of its own version: v1 is of the body without spaces, v2 of sorted JSON, v3 of base64.',
  },
  'key-white-space': {
    what: 'white space or invisible characters at its ends or within',
    where: 'In a file that ends with a line break (echo, a mounted Kubernetes secret), or a pasted value.',
    fix: "Trim the key where it is read: secret: process.env.WEBHOOK_SECRET.trim(); write such files with printf '%s'.",
  },
  'key-quoted': {
    what: 'in quotes, or with the punctuation of code after it',
    where: 'In a .env file that docker --env-file or systemd reads, or in YAML that was quoted twice.',
    fix: 'Write the line without quotes: WEBHOOK_SECRET=...',
  },
  'keys-swapped': {
    what: 'secret and API key exchanged',
    where: 'In two variables: the secret signs v2 and v3, the account API key signs v1.',
    fix: `Exchange them: secret is data.webhook_signature_secret of ${SECRET_CALL}, apiKey is the account's key from the dashboard.`,
  },
  'key-prefixed': {
    what: 'a whole line of settings, or `Bearer` before it; pasted twice',
    where: 'In a line that was copied whole, from a .env file (NAME=value) or from a request (Bearer ...).',
    fix: 'Take the value alone, which follows "=" or "Bearer ".',
  },
  'key-base64': {
    what: 'base64 that was not decoded, was decoded, or has the other alphabet',
    where: 'In a Kubernetes secret, or with vendors whose keys are base64: here the key is plain text.',
    fix: "Use the key as the service gives it. If you have base64 of it: Buffer.from(value, 'base64').toString('utf8').",
  },
  'key-hex': {
    what: 'hex that was not decoded, was decoded, or is in capitals',
    where: 'In code that decodes every key as hex digits: here the key is text and is not decoded.',
    fix: "Use the key as the service gives it, as UTF-8 text: no Buffer.from(secret, 'hex').",
  },
  'key-percent-encoded': {
    what: 'percent-encoded, or decoded once too often',
    where: 'In a connection string, a URL or a form from which the key was taken.',
    fix: 'Give the key as it is, decoded once: decodeURIComponent(value).',
  },
  'key-escaped': {
    what: 'with escapes of JSON, a shell or HTML',
    where: 'In a value that was copied from JSON (\\/ or \\u003d) or from the source of a page (&#x2B;).',
    fix: 'Copy the key as it is shown, or parse the JSON that contains it.',
  },
  'key-cut': {
    what: 'without its last characters',
    where: 'In code that splits a line of settings at every "=", or trims "=" away.',
    fix: 'Split at the first "=" only, and keep the padding at the end of the key.',
  },
  'key-organization': {
    what: 'an organization key with its account and mode',
    where: 'In X-Api-Key (organization key, account id, mode), used in place of one key.',
    fix: 'Give the one key that signs: the account API key for v1, the webhook signing secret for v2 and v3.',
  },
  'key-json-answer': {
    what: 'JSON that contains it',
    where: 'In a script that keeps the whole response of the signature-key call.',
    fix: `Take the field: curl ... | jq -r .data.webhook_signature_secret. Or copy it again from the response of ${SECRET_CALL}.`,
  },
  'other-secret': {
    what: 'another secret, while v1 matches',
    where: 'In settings of another organization or environment, or in a secret that was replaced.',
    fix: `Fetch the secret with an API key of your organization: ${SECRET_CALL}. ${COMPARE}`,
  },
  'other-api-key': {
    what: 'another API key, while v3 matches',
    where: 'In an account with several API keys, or settings of another account or the other mode.',
    fix: `Try the other API keys of the account, or require v3 alone, which needs no API key: versions: ['v3']. ${COMPARE}`,
  },
  'keys-mixed': {
    what: 'a different key for each version',
    where: 'In a sender that signs its versions with different keys, in the middle of a rotation.',
    fix: "Require one version that the secret signs, versions: ['v3'], or have the sender use one secret for v2 and v3.",
  },
  'body-reserialized': {
    what: 'parsed and printed again: numbers, escapes, order, layout, what printers lose',
    where: PARSED,
    fix: RAW_BODY,
  },
  'body-reindented': {
    what: 'JSON in another indentation',
    where: 'In an editor that formats on save, a tool that "beautifies" JSON, jq, or a copied fixture.',
    fix: 'Keep the body in a file as it arrived, and send it as bytes: curl --data-binary @body.json. Exclude fixtures from formatting (.prettierignore, .editorconfig).',
  },
  'body-not-verbatim': {
    what: 'the same JSON in other bytes',
    where: PARSED,
    fix: RAW_BODY,
  },
  'body-trailing-newline': {
    what: 'white space at its ends added or trimmed',
    where:
      'In a file that ends with a line break, in curl --data @file, or in code that trims what it reads.',
    fix: 'Send and verify the bytes as they are: printf %s instead of echo, curl --data-binary @body.json, no trim().',
  },
  'body-line-endings': {
    what: 'other line breaks, added or removed ones',
    where: 'On Windows: git with core.autocrlf, an editor, a template with CRLF; or in a form field.',
    fix: 'Keep the body byte for byte: "*.json -text" in .gitattributes for fixtures, and no text mode where it is read or written.',
  },
  'body-byte-order-mark': {
    what: 'a byte order mark added or removed',
    where: 'In a file saved as "UTF-8 with BOM", or in a decoder that removes the mark (response.text()).',
    fix: 'Save files as UTF-8 without a byte order mark, and verify the bytes, not a decoded text.',
  },
  'body-charset': {
    what: 'read or written in another charset, once or twice',
    where:
      'In code that reads the body as "latin1" or "binary", a database of another charset, PowerShell\'s ">".',
    fix: "Do not decode the body before it is verified: collect its Buffers and Buffer.concat() them; no setEncoding(), no toString('latin1').",
  },
  'body-unicode-form': {
    what: 'NFC and NFD, typographic quotes, no-break spaces',
    where: 'In a file name, form or database of macOS, or in code that calls normalize() on the text.',
    fix: 'Do not normalize the body before it is verified: verify the bytes that arrived.',
  },
  'body-base64': {
    what: 'base64',
    where: 'With API Gateway, an ALB or a function platform (isBase64Encoded), or in a queue.',
    fix: "Decode before you verify: Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8').",
  },
  'body-json-string': {
    what: 'a JSON string, backslashes added or removed',
    where: 'In JSON.stringify() of a text: a forwarder, a queue, a fixture with escaped quotes.',
    fix: 'Pass the text on as it is. If it was stringified twice, parse it once: JSON.parse(body) is the body that was signed.',
  },
  'body-quoted': {
    what: 'in quotes',
    where: "In cmd.exe and PowerShell, which pass on the quotes of curl -d '...'; in a .env or YAML value.",
    fix: 'Send the body from a file: curl --data-binary @body.json.',
  },
  'body-form-encoded': {
    what: 'encoded or decoded as a form',
    where: 'In curl --data-urlencode, a form, or a parser of forms that took the JSON for one.',
    fix: 'Send and read the body as it is, with Content-Type: application/json; put no express.urlencoded() before the verification.',
  },
  'body-html-escaped': {
    what: 'escaped for HTML, or its entities undone',
    where:
      'In code that makes text safe for HTML: htmlspecialchars(), escape filters, a "sanitizer" of all input.',
    fix: 'Verify the body before anything is escaped, and escape what you print, where you print it.',
  },
  'body-chunked': {
    what: 'with the sizes of its chunks',
    where: 'In code that reads the request from the socket itself, or a proxy that takes the header away.',
    fix: 'Let an HTTP server decode "Transfer-Encoding: chunked", or have the proxy keep that header.',
  },
  'body-compressed': {
    what: 'compressed',
    where: 'In a proxy or client that compresses the body, or a server that does not decompress it.',
    fix: 'The payment service signs the body uncompressed: decompress it before you verify it (express.raw() does), and have the proxy pass it on unchanged.',
  },
  'body-envelope': {
    what: 'within an object, a request, a line of a log; twice',
    where: 'In a Lambda event, a queue message or a forwarder that puts the body into an object.',
    fix: 'Verify the text inside of it: event.body, JSON.parse(message).payload, and not the object that contains it.',
  },
  'body-bytes-printed': {
    what: 'its bytes printed as numbers, hex or escapes',
    where: 'In JSON.stringify(buffer), String(new Uint8Array(...)), or in Python str(request.data).',
    fix: 'Pass the Buffer or Uint8Array itself, never a text that JSON.stringify() or String() made of it.',
  },
  'clock-skew': {
    what: 'a clock that is wrong',
    where: 'On a machine that was suspended or has no NTP, or after a queue where deliveries waited.',
    fix: 'Set the clock of this machine and keep it right: timedatectl set-ntp true, chronyc tracking. If deliveries wait before the verifier, verify them where they arrive.',
  },
  'time-zone': {
    what: 'a time zone taken for UTC',
    where: 'In a sender that takes local time for UTC, or on a machine whose clock has local time.',
    fix: 'Take t from a clock without a time zone: Math.floor(Date.now() / 1000), int(time.time()); not datetime.utcnow().timestamp().',
  },
  replay: {
    what: 'a recorded delivery, sent again',
    where: 'In a test with a recorded delivery, a tool that sends it again, or with an attacker.',
    fix: 'For a recorded delivery, give the time of the recording: now: () => t * 1000. In production there is nothing to fix: the refusal is right.',
  },
}
