// What JavaScript uses as it is, and TypeScript wants to be declared.
import type { VerifiedWebhook } from '@service-signature/core'

declare module '@hapi/hapi' {
  interface ReqRefDefaults {
    AuthArtifactsExtra: Record<string, unknown> & VerifiedWebhook
  }
}

declare module 'node:net' {
  interface Server {
    // Of a server that listens on a port.
    address(): AddressInfo
  }
}
