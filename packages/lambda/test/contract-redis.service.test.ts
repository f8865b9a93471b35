import { redisContract } from '@service-signature/contract/redis'
import { hosts } from './support/hosts.js'

redisContract(hosts[0]!)
