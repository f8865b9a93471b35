import { contract } from '@service-signature/contract'
import { hosts } from '../../../packages/nest/test/support/hosts.js'

for (const host of hosts) contract(host)
