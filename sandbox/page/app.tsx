import { LocationProvider, Route, Router } from 'preact-iso'
import { Layout } from './parts/layout.js'
import { PageHead } from './parts/page-head.js'
import { AgreementPage, AgreementsPage } from './pages/agreements.js'
import { AuditPage } from './pages/audit.js'
import { CardPage, CardsPage } from './pages/cards.js'
import { ComposePage } from './pages/compose.js'
import { CustomerPage, CustomersPage } from './pages/customers.js'
import { DeliveriesPage } from './pages/deliveries.js'
import { DeliveryPage } from './pages/delivery.js'
import { HomePage } from './pages/home.js'
import { IntentPage, IntentsPage } from './pages/intents.js'
import { KeysPage } from './pages/keys.js'
import { PaymentsPage } from './pages/payments.js'
import { ProvidersPage } from './pages/providers.js'
import { RequestPage, RequestsPage } from './pages/requests.js'
import { SettingsPage } from './pages/settings.js'
import { TransactionPage, TransactionsPage } from './pages/transactions.js'

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
          <Route path="/audit" component={AuditPage} />
          <Route path="/payments" component={PaymentsPage} />
          <Route path="/intents" component={IntentsPage} />
          <Route path="/intents/:id" component={IntentPage} />
          <Route path="/transactions" component={TransactionsPage} />
          <Route path="/transactions/:id" component={TransactionPage} />
          <Route path="/customers" component={CustomersPage} />
          <Route path="/customers/:id" component={CustomerPage} />
          <Route path="/cards" component={CardsPage} />
          <Route path="/cards/:id" component={CardPage} />
          <Route path="/agreements" component={AgreementsPage} />
          <Route path="/agreements/:id" component={AgreementPage} />
          <Route path="/providers" component={ProvidersPage} />
          <Route path="/requests" component={RequestsPage} />
          <Route path="/requests/:id" component={RequestPage} />
          <Route path="/keys" component={KeysPage} />
          <Route path="/settings" component={SettingsPage} />
          <Route default component={NotFoundPage} />
        </Router>
      </Layout>
    </LocationProvider>
  )
}

function NotFoundPage() {
  return (
    <>
      <PageHead title="This page does not exist" />
      <div class="page-body">
        <a class="button" href="/deliveries/">
          Go to the deliveries
        </a>
      </div>
    </>
  )
}
