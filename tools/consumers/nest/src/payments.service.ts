import { Injectable } from '@nestjs/common'
import type { EventOf } from '@service-signature/core'
import { OnWebhook } from '@service-signature/nest'

@Injectable()
export class PaymentsService {
  @OnWebhook('transaction.purchase.successful')
  paid({ payload }: EventOf<'transaction.purchase.successful'>): void {
    this.book('dispatched', payload.intent.amount.value)
  }

  book(how: string, amount: number): void {
    console.log(`${how}: ${amount}`)
  }
}
