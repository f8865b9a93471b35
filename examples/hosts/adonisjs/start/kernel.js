import router from '@adonisjs/core/services/router'
import server from '@adonisjs/core/services/server'

// Before the router and its body parser.
server.use([() => import('#middleware/webhooks_middleware')])
router.use([() => import('@adonisjs/core/bodyparser_middleware')])
