import { LocationProvider, Route, Router } from 'preact-iso'
import { Layout } from './parts/layout.js'
import { NotFound } from './parts/empty.js'
import { AuditPage } from './pages/audit.js'
import { ComposePage } from './pages/compose.js'
import { DeliveriesPage } from './pages/deliveries.js'
import { DeliveryPage } from './pages/delivery.js'
import { HomePage } from './pages/home.js'
import { PaymentsPage } from './pages/payments.js'
import { SettingsPage } from './pages/settings.js'

/** Links to these are left to the browser: the page does not answer them. */
const OWN_LINKS = /^\/(?!(?:api|direct|vault|_sandbox)\/|openapi\.json|sdk\.js)/

export function App() {
  return (
    <LocationProvider scope={OWN_LINKS}>
      <Layout>
        <Router>
          <Route path="/" component={HomePage} />
          <Route path="/deliveries" component={DeliveriesPage} />
          <Route path="/deliveries/:id" component={DeliveryPage} />
          <Route path="/compose" component={ComposePage} />
          <Route path="/payments/:kind?/:id?" component={PaymentsPage} />
          <Route path="/audit" component={AuditPage} />
          <Route path="/settings/:part?/:id?" component={SettingsPage} />
          <Route default component={NotFound} />
        </Router>
      </Layout>
    </LocationProvider>
  )
}
