import { redisContract } from '@service-signature/contract/redis'
import { beforeEach, vi } from 'vitest'
import { hosts } from './support/hosts.js'

// The errors of the cases' handlers are printed.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

for (const host of hosts) redisContract(host)
