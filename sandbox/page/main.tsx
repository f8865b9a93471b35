// The page of the sandbox.
//
//   main.tsx, app.tsx   start it; every address and the component of its page
//   sections.ts         the navigation
//   pages/              one file for a section: its list and the page of one item
//   parts/              what pages are made of: listPage(), itemPage(), Panel, Facts, Button, Badge, Dialog, toast(), ...
//   api/                the control API: get(), post(), useResource(); changes arrive by themselves
//   styles/             tokens.css has the colors and sizes; a style that only one page needs is next to that page
//
// A list: listPage<Item>({ path, kinds, columns, filters, ... }), with the columns of parts/columns.tsx; its filters are kept in the
// address. One item: itemPage<Item>({ path, kinds, title, facts, main, ... }), with TablePanel for what belongs to it. Another page
// loads what it shows by const { data } = useResource<Data>(path, { kinds, id }).
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
