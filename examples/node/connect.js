import connect from 'connect'
import { serviceSignature } from '@service-signature/node'

const app = connect()

app.use(
  '/webhooks',
  serviceSignature({ secret: process.env.WEBHOOK_SECRET }, async (webhook) => {
    console.log('verified:', webhook.event.type)
  }),
)
// Body parsers and all other middleware follow here.

app.listen(process.env.PORT ?? 3000)
