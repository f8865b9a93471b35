import { NestFactory } from '@nestjs/core'
import { unparsed } from '@service-signature/nest'
import { AppModule } from './app.module.js'

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule)
  // The path of the route, with the global prefix: its bodies are not for Nest's parsers.
  app.use('/webhooks', unparsed)
  await app.listen(process.env['PORT'] ?? 3000)
}
void bootstrap()
