import { cpus } from 'node:os'
import { recognitionRows } from './recognize.js'
import { refusalRows, verifyRows } from './verify.js'

console.log(`Node ${process.versions.node}, ${cpus()[0].model}\n\nverify`)
console.table(await verifyRows())
console.log('\nrefuse')
console.table(await refusalRows())
console.log('\nrecognize')
console.table(await recognitionRows())
