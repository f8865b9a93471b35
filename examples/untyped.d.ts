// Types that TypeScript cannot infer in the JavaScript examples.
import type { VerifiedWebhook } from '@service-signature/core'

declare module '@hapi/hapi' {
  interface ReqRefDefaults {
    AuthArtifactsExtra: Record<string, unknown> & VerifiedWebhook
  }
}

declare module 'node:net' {
  interface Server {
    // The address of a server that listens on a port.
    address(): AddressInfo
  }
}
