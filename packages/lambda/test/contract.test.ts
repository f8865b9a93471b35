import { contract, transportContract } from '@service-signature/contract'
import { hosts } from './support/hosts.js'

// The formats of events differ in how they carry header lines, bytes and answers, and in nothing else.
const [first, ...others] = hosts
contract(first!)
for (const host of others) transportContract(host)
