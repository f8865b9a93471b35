import type { Step } from '../case.js'
import { percentDecoded } from '../encoding.js'
import { fault } from './faults.js'

/** The text of a header as elements in the form of S6.2, and what had to be undone for that. */
export interface RepairedText {
  readonly elements: readonly string[]
  readonly faults: readonly Step[]
}

// More is none of a header that could be saved.
const MAX_CHARACTERS = 4096
const MAX_ELEMENTS = 48

const QUOTES = /["'`\\\u201c\u201d\u2018\u2019]/g
const NAME = /^[ \t]{0,8}Service-Signature[ \t]{0,8}[:=][ \t]{0,8}/i
const SEPARATORS = /[,;&|\s{}[\]]+/

/** Takes away what is around and between the elements and does not belong there. Linear time. */
export function repairText(text: string): RepairedText {
  const faults: Step[] = []
  let rest = text.slice(0, MAX_CHARACTERS)

  function repair(name: Parameters<typeof fault>[0], happened: string, repaired: string): void {
    if (repaired !== rest) faults.push(fault(name, happened))
    rest = repaired
  }

  const decoded = /%(?:2c|3d|3b|3a|20|22)/i.test(rest) ? percentDecoded(rest) : undefined
  repair('header-percent-encoded', 'the header is percent-encoded (%3D for "=")', decoded ?? rest)
  repair('header-quoted', 'the header has quotes around or within its value', rest.replace(QUOTES, ''))
  repair(
    'header-name-in-value',
    'the value of the header starts with the name of the header',
    rest.replace(NAME, ''),
  )

  const strict = rest.split(',').map((element) => element.replace(/^[ \t]+/, '').trimEnd())
  const pairs = (rest.includes('=') ? rest : rest.replaceAll(':', '='))
    .split('=')
    .map((part) => part.trim())
    .join('=')
  const elements = pairs
    .split(SEPARATORS)
    .filter((element) => element !== '')
    .slice(0, MAX_ELEMENTS)
  if (elements.join() !== strict.join()) {
    faults.push(
      fault(
        'header-separators',
        'the header has other separators than one comma between its elements and "=" within them',
      ),
    )
  }
  return { elements, faults }
}
