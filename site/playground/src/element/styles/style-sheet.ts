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
  sheet.replaceSync([theme, layout, fields, controls, results].join('\n'))
  return sheet
}
