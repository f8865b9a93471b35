/** The entry for edge runtimes and browsers: as index.ts, and with Web Crypto alone. @module */
import { webHmac } from '@service-signature/core/signature/hmac/web'
import { explainDelivery } from './explain-delivery.js'
import type * as node from './index.js'
import { RefusalExplainer } from './refusal-explainer.js'

export type * from './index.js'
export { formatReport } from './report/format-report.js'

export const explain: typeof node.explain = (body, header, options) =>
  explainDelivery(webHmac, body, header, options)

export const createRefusalExplainer: typeof node.createRefusalExplainer = () => new RefusalExplainer(explain)
