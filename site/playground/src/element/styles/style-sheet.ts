import tokens from '../../../../../sandbox/assets/form/tokens.css?inline'
import controls from './controls.css?inline'
import fields from './fields.css?inline'
import layout from './layout.css?inline'
import results from './results.css?inline'
import theme from './theme.css?inline'

/**
 * The styles of the element, to be adopted by its shadow tree. They are not in a `<style>` element, which a content security
 * policy without inline styles forbids.
 */
export function styleSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  // The tokens belong to the root of a page. Here that is the element, whose color-scheme a page with a switch sets.
  const own = tokens.replace(':root', ':host')
  sheet.replaceSync([own, theme, layout, fields, controls, results].join('\n'))
  return sheet
}
