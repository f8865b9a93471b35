import { canonicalJson } from './canonical-json.js'
import { events } from './events.js'
import { explain } from './explain.js'
import { header } from './header.js'
import { rawBody } from './raw-body.js'
import { receiver } from './receiver.js'

/** What is fuzzed. A new target is a new row. */
export const TARGETS = [header, canonicalJson, rawBody, events, receiver, explain]
