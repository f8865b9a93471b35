import { channel, tracingChannel } from 'node:diagnostics_channel'
import type { Platform } from '../hooks.js'

/** Where reports and warnings go on Node. */
export const NODE_PLATFORM: Platform = {
  deliveries: channel('service-signature:delivery'),
  handling: tracingChannel('service-signature'),
  warn(message, detail) {
    process.emitWarning(message, { type: 'ServiceSignatureWarning', detail })
  },
}
