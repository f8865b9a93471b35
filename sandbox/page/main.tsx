// The page of the sandbox.
//
//   main.tsx, app.tsx   start it; every address and the component of its page
//   pages/              the pages. payment-kinds.tsx has the lists of payments and of what belongs to them, as data
//   parts/              what pages are made of: ListPage, KindList, KindItem, Panel, Facts, Button, Badge, Dialog, toast(), ...
//   api/                the control API: get(), post(), useResource(); changes arrive by themselves
//   styles/             tokens.css has the colors and sizes; a style that only one page needs is next to that page
//
// Nothing may be inline (the policy forbids it) or come from elsewhere. Colors always have a word next to them.
import { render } from 'preact'
import { connect } from './api/changes.js'
import { App } from './app.js'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'
import './styles/lists.css'
import './styles/panels.css'

connect()
render(<App />, document.getElementById('page')!)
