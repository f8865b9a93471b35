import { Body, Controller, Post } from '@nestjs/common'

/** A route beside: its JSON is parsed as ever. */
@Controller('orders')
export class OrdersController {
  @Post()
  create(@Body() order: unknown): unknown {
    return { ordered: order }
  }
}
