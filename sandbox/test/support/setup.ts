import { afterAll } from 'vitest'
import { closeUnused } from './service.js'

// Vitest runs this for each file, while the modules of the support folder are loaded once for all files.
afterAll(closeUnused)
