// The page of the sandbox.
//
//   main.tsx   starts it; every address and the component of its page
//   pages/     the pages. payment-kinds.tsx has the lists of payments and of what belongs to them, as data
//   parts/     what pages are made of: ListPage, KindList, KindItem, Panel, Facts, Button, Badge, toast(), ...
//   api/       the control API: get(), post(), useResource(); changes arrive by themselves
//   styles/    what every page has; a style that only one page needs is next to that page. The colors, sizes and fonts are those
//              of assets/form/tokens.css, as on the hosted form
//
// Nothing may be inline (the policy forbids it) or come from elsewhere. Colors always have a word next to them.
import { render } from 'preact'
import { LocationProvider, Route, Router } from 'preact-iso'
import { connect } from './api/changes.js'
import { NotFound } from './parts/empty.js'
import { Layout } from './parts/layout.js'
import { AuditPage } from './pages/audit.js'
import { ComposePage } from './pages/compose.js'
import { DeliveriesPage } from './pages/deliveries.js'
import { HomePage } from './pages/home.js'
import { PaymentsPage } from './pages/payments.js'
import { SettingsPage } from './pages/settings.js'
import '../assets/form/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'
import './styles/lists.css'
import './styles/panels.css'

/** Links to these are left to the browser: the page does not answer them. */
const OWN_LINKS = /^\/(?!(?:api|direct|vault|_sandbox)\/|openapi\.json|sdk\.js)/

function App() {
  return (
    <LocationProvider scope={OWN_LINKS}>
      <Layout>
        <Router>
          <Route path="/" component={HomePage} />
          <Route path="/deliveries/:id?" component={DeliveriesPage} />
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

connect()
render(<App />, document.getElementById('page')!)
