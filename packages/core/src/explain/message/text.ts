import { withoutSpaces } from '../../canonical-json/forms.js'
import type { Version } from '../../versions.js'
import type { BodyView } from '../body/view.js'
import { COMPACT, SPACED, type Layout } from '../json/print.js'
import type { KeyOrder } from '../json/tree.js'
import { inFrontOfTime, type OtherMessage } from './row.js'
import { encode, message } from './specified.js'

const byUnit: KeyOrder = (a, b) => (a < b ? -1 : Number(a > b))
const byLetter: KeyOrder = (a, b) => byUnit(a.toLowerCase(), b.toLowerCase())
const asTheyStand: KeyOrder = () => 0

/** What a sender may take for the spaces and line breaks of S6.4 and S6.5. */
export const otherWhiteSpace: readonly OtherMessage[] = [
  left('white space was left as it is', (text) => text),
  left('all white space was removed, tabs and the like too (\\s)', (text) => text.replace(/\s/g, '')),
  left('tabs were removed with the spaces and line breaks', (text) => text.replace(/[ \n\r\t]/g, '')),
  left('line breaks were removed, and spaces were not', (text) => text.replace(/[\n\r]/g, '')),
  left('spaces were removed, and line breaks were not', (text) => text.replaceAll(' ', '')),
  sorted('spaces inside of strings were left as they are', asTheyStand),
  sorted('the spaces that Python puts behind commas and colons were left as they are', byUnit, {
    layout: SPACED,
  }),
]

/** How a sender may sort keys, other than S6.4 says. */
export const otherOrders: readonly OtherMessage[] = [
  sorted('the keys were left in the order of the body', asTheyStand, { strip: withoutSpaces }),
  sorted('the keys were sorted without regard to upper and lower case', byLetter, { strip: withoutSpaces }),
  sorted('only the keys of the outermost object were sorted', byUnit, {
    strip: withoutSpaces,
    isDeep: false,
  }),
]

/** The text before any space is removed, after which `remove` is all that happens to it. */
function left(happened: string, remove: (text: string) => string): OtherMessage {
  return inFrontOfTime(happened, (body, version) => {
    const text = TEXTS[version]?.(body)
    return text === undefined ? undefined : message(remove(text))
  })
}

const TEXTS: Readonly<Partial<Record<Version, (body: BodyView) => string | undefined>>> = {
  v1: ({ text }) => text,
  v2: ({ json }) => json?.inOrder(byUnit)(COMPACT),
}

interface Sorting {
  readonly layout?: Layout
  readonly isDeep?: boolean
  readonly strip?: (bytes: Uint8Array) => Uint8Array
}

function sorted(
  happened: string,
  order: KeyOrder,
  { layout = COMPACT, isDeep = true, strip = (bytes) => bytes }: Sorting = {},
): OtherMessage {
  return inFrontOfTime(happened, ({ json }) => {
    const text = json?.inOrder(order, isDeep)(layout)
    return text === undefined ? undefined : { bytes: strip(encode(text)) }
  })
}
