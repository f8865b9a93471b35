import { Body, Controller, HttpCode, Post } from '@nestjs/common'
import type { VerifiedWebhook } from '@service-signature/core'
import { ServiceSignature, Webhook } from '@service-signature/nest'
import { PaymentsService } from './payments.service.js'

@Controller()
export class DeliveriesController {
  // Nest knows what to inject by the types that the compiler emits.
  constructor(private readonly payments: PaymentsService) {}

  @Post('deliveries')
  @HttpCode(204)
  @ServiceSignature()
  receive(@Webhook() { event }: VerifiedWebhook): void {
    if (event.shape === 'transaction') this.payments.book('received', event.payload.intent.amount.value)
  }

  /** Not guarded: the body parser of Nest still serves it. */
  @Post('orders')
  order(@Body() body: { readonly item: string }): string {
    return body.item
  }
}
