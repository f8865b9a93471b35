// Without its font, which would be most of what a page loads.
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import '../../../sandbox/assets/form/tokens.css'
import './style.css'

/** In place of the page of the theme, which has no landmark. */
const notFound = () =>
  h('main', { class: 'not-found vp-doc' }, [
    h('h1', 'This page does not exist'),
    h('p', h('a', { href: import.meta.env.BASE_URL }, 'Go to the start page')),
  ])

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': notFound }),
}
