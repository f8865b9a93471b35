import { channel } from 'node:diagnostics_channel'
import type { Platform } from '../hooks.js'

/** Where reports and warnings go on Node. */
export const NODE_PLATFORM: Platform = {
  deliveries: channel('service-signature:delivery'),
  warn(message, detail) {
    process.emitWarning(message, { type: 'ServiceSignatureWarning', detail })
  },
}
