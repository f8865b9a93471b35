import { contract } from '@service-signature/contract'
import { hosts } from '../../../../packages/nest/test/support/hosts.js'

contract(...hosts)
