import { Module } from '@nestjs/common'
import { OrdersController } from './orders.controller.js'
import { WebhooksModule } from './webhooks.module.js'

/** The application. */
@Module({ imports: [WebhooksModule], controllers: [OrdersController] })
export class AppModule {}
