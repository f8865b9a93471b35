import { postgresContract } from '@service-signature/contract/postgres'
import { hosts } from './support/hosts.js'

for (const host of hosts) postgresContract(host)
