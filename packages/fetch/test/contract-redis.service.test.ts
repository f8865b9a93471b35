import { redisContract } from '@service-signature/contract/redis'
import { hosts } from './support/hosts.js'

for (const host of hosts) redisContract(host)
