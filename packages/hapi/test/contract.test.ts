import { contract } from '@service-signature/contract'
import { hosts } from './support/hosts.js'

contract(...hosts)
