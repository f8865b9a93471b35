import { describe, expect, it } from 'vitest'
import { JsonText, LAYOUTS } from '../../src/read/json-text.js'
import { python } from '../support/places.js'
import { isMissing } from '../../../../test/contract/src/services.js'

const texts = [
  '{"a":[],"b":{},"c":[1,[2,{"d":null}]],"e":"x, y: [z]{","f":true}',
  '[]',
  '{}',
  '"text \\" with \\\\ quotes"',
  '-1500.0',
  '[[],{},[[]]]',
]

describe.skipIf(isMissing('python'))('JSON is printed in the same layout as by Python', () => {
  const options = ['', 'separators=(",", ":")', 'indent=2', 'indent=4', 'indent="\\t"']

  it.each(LAYOUTS.map((layout, index) => [layout.says, layout, options[index]!] as const))(
    '%s',
    (_, layout, option) => {
      const program = `import json,sys; print(json.dumps([json.dumps(json.loads(text)${option && `, ${option}`}) for text in json.load(sys.stdin)]))`
      const printed = JSON.parse(python(program, JSON.stringify(texts)).toString()) as unknown
      expect(texts.map((text) => JsonText.of(Buffer.from(text))!.print(layout))).toEqual(printed)
    },
  )
})
