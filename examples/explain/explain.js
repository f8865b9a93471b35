import { explain, formatReport } from '@service-signature/explain'
import { sign } from '@service-signature/core/testing'

const secret = 'test_signature_key'
const sent = '{"type": "intent.processed", "amount": 10.0}' // as Python prints it
const header = sign(sent, { secret, versions: ['v3'] })
const arrived = JSON.stringify(JSON.parse(sent)) // what express.json() and JSON.stringify make of it

console.log(formatReport(await explain(arrived, header, { secret })))
