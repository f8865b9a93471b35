import { contract } from '@service-signature/contract'
import { hosts } from './support/hosts.js'

for (const host of hosts) contract(host)
