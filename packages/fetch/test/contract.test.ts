import { contract } from '@service-signature/contract'
import { hosts } from './support/hosts.js'

// The middleware is a module of its own.
const [hono, middleware, next] = hosts
contract(hono!, next!)
contract(middleware!)
