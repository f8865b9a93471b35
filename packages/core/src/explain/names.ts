/** Every fault that explain knows, by its name in a report. */
export type HypothesisName =
  BodyHypothesis | KeyHypothesis | HeaderHypothesis | MessageHypothesis | TimeHypothesis | InferredHypothesis

/** The body that arrived is not the body that was signed. */
export type BodyHypothesis =
  | 'body-reserialized'
  | 'body-reindented'
  | 'body-numbers'
  | 'body-escapes'
  | 'body-key-order'
  | 'body-trailing-newline'
  | 'body-line-endings'
  | 'body-byte-order-mark'
  | 'body-charset'
  | 'body-base64'
  | 'body-json-string'
  | 'body-quoted'
  | 'body-form-encoded'
  | 'body-envelope'
  | 'body-bytes-printed'

/** The key that was given is not, letter for letter, the key that signs. */
export type KeyHypothesis =
  | 'key-white-space'
  | 'key-quoted'
  | 'key-prefixed'
  | 'key-json-answer'
  | 'key-base64'
  | 'key-hex'
  | 'key-percent-encoded'
  | 'key-organization'
  | 'keys-swapped'

/** The value of the header is not what was sent, or not what S6.2 says. */
export type HeaderHypothesis =
  | 'header-name-in-value'
  | 'header-percent-encoded'
  | 'header-quoted'
  | 'header-separators'
  | 'header-repeated'
  | 'header-element-names'
  | 'header-digest-prefix'
  | 'header-digest-base64'
  | 'header-hex-upper-case'
  | 'header-milliseconds'
  | 'header-time-format'
  | 'header-digests-swapped'
  | 'header-version-missing'

/** The sender does not sign what S6.3 to S6.5 say. */
export type MessageHypothesis =
  | 'message-white-space'
  | 'message-key-order'
  | 'message-decoded'
  | 'message-encoding'
  | 'message-time-position'
  | 'message-without-time'

/** The signature is right, and the time is not. */
export type TimeHypothesis = 'clock-skew' | 'time-zone' | 'replay'

/** What follows from the versions that match and those that do not. */
export type InferredHypothesis = 'body-white-space' | 'keys-mixed' | 'other-secret' | 'other-api-key'
