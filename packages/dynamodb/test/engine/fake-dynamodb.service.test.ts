import {
  DeleteItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  type AttributeValue,
} from '@aws-sdk/client-dynamodb'
import { dynamoInbox } from '@service-signature/dynamodb'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  FakeDynamo,
  REQUESTS,
  type Write,
} from '../../../../test/contract/test/protocol/stores/fake-dynamodb.js'
import { runs } from '../../../core/test/support/runs.js'
import { marshalled } from '../../src/statements.js'
import { clientOf, useEngine } from './support/open.js'
import { isMissing } from '@service-signature/contract/services'

const engine = useEngine()
const TABLE = 'service_signature_inbox'
const KEYS = ['key 1', 'key 2']

const key = fc.constantFrom(...KEYS)
const token = fc.constantFrom('token 1', 'token 2')
const step = fc.oneof(
  fc.record({ step: fc.constantFrom('claim', 'commit', 'release', 'ignored', 'honoured'), key, token }),
  fc.record({ pauseSeconds: fc.constantFrom(20, 50, 80, 86_370) }),
)

it.skipIf(isMissing('drivers'))(
  'the fake DynamoDB behaves like the local engine in random sequences of requests',
  async () => {
    const client = clientOf(engine())
    await dynamoInbox(client).migrate()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20, size: 'max' }), async (steps) => {
        const fake = new FakeDynamo()
        for (const each of KEYS) {
          await client.send(new DeleteItemCommand({ TableName: TABLE, Key: marshalled({ key: each }) }))
        }
        for (const each of steps) {
          if ('pauseSeconds' in each) {
            await engine().age(TABLE, each.pauseSeconds)
            for (const [name, item] of fake.items) fake.items.set(name, aged(item, each.pauseSeconds))
            continue
          }
          const [real, model] = requestsOf(each)
          expect(await resultOf(model(fake))).toEqual(await resultOf(real()))
        }
        expect(fake.items).toEqual(await engine().items(TABLE))
      }),
      { numRuns: runs(60) },
    )

    /** One request, to both. */
    function requestsOf({ step, key, token }: { step: string; key: string; token: string }) {
      if (step === 'ignored' || step === 'honoured') {
        const write = REQUESTS.record(key, step, marshalled)
        const command = new TransactWriteItemsCommand({ TransactItems: [{ Put: write }] })
        return [
          () => client.send(command),
          (fake: FakeDynamo) => fake.transact(write, [], () => Promise.resolve()),
        ] as const
      }
      const written = (write: Write) => async (fake: FakeDynamo) => {
        await Promise.resolve()
        fake.write(write)
      }
      if (step === 'release') {
        const write = REQUESTS.release(key, token)
        return [() => client.send(new DeleteItemCommand(write)), written(write)] as const
      }
      const write = step === 'claim' ? REQUESTS.claim(key, token) : REQUESTS.commit(key, token)
      return [() => client.send(new PutItemCommand(write)), written(write)] as const
    }
  },
)

/** Undefined, or the parts of the error that the inbox reads. */
async function resultOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    await answer
    return undefined
  } catch (error) {
    const { name, Item, CancellationReasons } = error as {
      readonly name: string
      readonly Item?: unknown
      readonly CancellationReasons?: readonly { readonly Code: string; readonly Item?: unknown }[]
    }
    return { name, Item, reason: CancellationReasons?.[0]?.Code, reasonItem: CancellationReasons?.[0]?.Item }
  }
}

function aged(item: Readonly<Record<string, AttributeValue>>, seconds: number) {
  const entries = Object.entries(item).map(([name, value]): [string, AttributeValue] => [
    name,
    value.N === undefined ? value : { N: String(Number(value.N) - seconds) },
  ])
  return Object.fromEntries(entries)
}
