import { defineConfig, drivers } from '@adonisjs/core/encryption'
import { randomUUID } from 'node:crypto'

// Adonis needs a key. Nothing is encrypted here.
export default defineConfig({
  default: 'gcm',
  list: { gcm: drivers.aes256gcm({ keys: [randomUUID()], id: 'gcm' }) },
})
