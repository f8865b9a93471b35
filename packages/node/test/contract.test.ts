import { contract } from '@service-signature/contract'
import { beforeEach, vi } from 'vitest'
import { hosts } from './support/hosts.js'

// The errors of the cases' handlers are printed.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

contract(...hosts)
