// A local DynamoDB. dynalite has its tables, its conditions and its checks of requests; this file adds what it lacks, as the
// documentation of AWS describes it: transactions, ReturnValuesOnConditionCheckFailure and time to live. It keeps the data
// when it is "killed": then connections break, and requests that it has executed may stay without an answer.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { freePort } from '@service-signature/contract/free-port'

type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The body of a request, of an operation of a transaction, or of an answer. */
type Body = Readonly<Record<string, unknown>>

interface Operation extends Body {
  readonly TableName: string
  readonly Item?: Values
  readonly Key?: Values
}

/** What dynalite needs of a parsed request; `checkValidations` adds the parsed condition. */
interface Dynalite {
  readonly db: {
    create: (options: object) => unknown
    checkConditional: (data: Body, item: Values | undefined) => object | null | undefined
  }
  readonly validations: {
    checkTypes: (body: Body, types: object) => Body
    checkValidations: (data: Body, types: object, custom: unknown, store: unknown) => void
  }
}

const require = createRequire(import.meta.url)
const { db, validations }: Dynalite = {
  db: require('dynalite/db') as Dynalite['db'],
  validations: require('dynalite/validations') as Dynalite['validations'],
}

/** An error of DynamoDB, as the body of its answer. */
class Failure extends Error {
  readonly statusCode: number
  readonly body: Body

  constructor(type: string, message: string, more: Body = {}, statusCode = 400) {
    super(message)
    this.statusCode = statusCode
    this.body = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, ...more }
  }
}

/** How long DynamoDB answers a repeated transaction as it did the first time, in milliseconds. */
const TOKEN_MILLISECONDS = 10 * 60_000

export class DynamoEngine {
  /** The names of the requests that were received. */
  readonly calls: string[] = []
  /** How many connections were opened. */
  connections = 0
  /** Called before a request is executed. What it throws is the answer; while it waits, so does the request. */
  before: (call: string) => unknown = () => undefined
  /** Called after a request was executed. If it resolves to false, the connection breaks instead of the answer. */
  after: (call: string) => unknown = () => undefined
  /** Called while a transaction holds its items. */
  inTransaction: () => unknown = () => undefined
  readonly #store = db.create({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 })
  readonly #keys = new Map<string, readonly string[]>()
  readonly #timesToLive = new Map<string, string>()
  /** The writes of single items, which wait for each other; or the transaction that holds the item. */
  readonly #writers = new Map<string, Promise<unknown> | 'transaction'>()
  readonly #tokens = new Map<
    string,
    { request: string; answer: Promise<Body>; isDone: boolean; at: number }
  >()
  #server: Server | undefined
  readonly #port: number

  private constructor(port: number) {
    this.#port = port
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  static async start(): Promise<DynamoEngine> {
    const engine = new DynamoEngine(await freePort())
    await engine.restart()
    return engine
  }

  async restart(): Promise<void> {
    const server = createServer((request, response) => void this.#receive(request, response))
    server.keepAliveTimeout = 60_000
    server.on('connection', () => this.connections++)
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#server = server
  }

  /** Between the steps of no transaction: DynamoDB leaves none of them half done. */
  async kill(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve))
    this.#server?.closeAllConnections()
    await closed
  }

  /** The items of a table, by their key. */
  async items(table: string): Promise<Map<string, Values>> {
    const items = new Map<string, Values>()
    let ExclusiveStartKey: unknown
    do {
      const scan = { TableName: table, ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey }) }
      const { Items, LastEvaluatedKey } = await this.#execute('Scan', scan)
      for (const item of Items as Values[])
        items.set(String((item['key'] ?? item['id'] ?? item['intent_id'])?.['S']), item)
      ExclusiveStartKey = LastEvaluatedKey
    } while (ExclusiveStartKey !== undefined)
    return items
  }

  /** Moves the times of all items of an inbox into the past, as if time had passed. */
  async age(table: string, seconds: number): Promise<void> {
    for (const item of (await this.items(table)).values()) {
      const times = ['handled_at', 'expires_at'].flatMap((name) => {
        const time = item[name]?.['N']
        return time === undefined ? [] : [[name, { N: String(Number(time) - seconds) }] as const]
      })
      await this.#execute('PutItem', { TableName: table, Item: { ...item, ...Object.fromEntries(times) } })
    }
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = String(request.headers['x-amz-target']).split('.').at(-1)!
    let status = 200
    let answer: Body
    try {
      const body = JSON.parse(await text(request)) as Body
      this.calls.push(call)
      await this.before(call)
      answer = await this.#answer(call, body)
    } catch (error) {
      const { statusCode, body } = error as Partial<Failure>
      // A request of a client that is gone, or a mistake of this file.
      if (statusCode === undefined || body === undefined) return void response.destroy(error as Error)
      ;[status, answer] = [statusCode, body]
    }
    if ((await this.after(call)) === false) return void response.destroy()
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' })
    response.end(JSON.stringify(answer))
  }

  async #answer(call: string, body: Body): Promise<Body> {
    switch (call) {
      case 'TransactWriteItems':
        return this.#transactOnce(body)
      case 'PutItem':
      case 'DeleteItem':
      case 'UpdateItem':
        return this.#write(call, body as Operation)
      case 'UpdateTimeToLive':
      case 'DescribeTimeToLive':
        return this.#timeToLive(body)
      default:
        return this.#execute(call, body)
    }
  }

  /** A transaction with the token of one that has succeeded does nothing. The SDK gives each call a token. */
  async #transactOnce({ ClientRequestToken: token, ...body }: Body): Promise<Body> {
    const request = JSON.stringify(body)
    const known = this.#tokens.get(String(token))
    if (token !== undefined && known !== undefined && Date.now() - known.at < TOKEN_MILLISECONDS) {
      if (known.request !== request) {
        throw new Failure('IdempotentParameterMismatchException', 'The token was used for another request')
      }
      if (!known.isDone) throw new Failure('TransactionInProgressException', 'It is in progress')
      return known.answer
    }
    const answer = this.#transact(body['TransactItems'] as readonly Readonly<Record<string, Operation>>[])
    const entry = { request, answer, isDone: false, at: Date.now() }
    this.#tokens.set(String(token), entry)
    answer.then(
      () => (entry.isDone = true),
      () => this.#tokens.delete(String(token)),
    )
    return answer
  }

  async #transact(items: readonly Readonly<Record<string, Operation>>[]): Promise<Body> {
    const steps = await Promise.all(
      items.map(async (item) => {
        const [[kind, operation]] = Object.entries(item) as [[string, Operation]]
        const place = await this.#placeOf(operation)
        return { kind, operation, data: this.#check(kind, operation), place }
      }),
    )
    if (new Set(steps.map(({ place }) => place)).size < steps.length) {
      const message = 'Transaction request cannot include multiple operations on one item'
      throw new Failure('ValidationException', message)
    }
    cancelIf(steps.map(({ place }) => (this.#writers.has(place) ? { Code: 'TransactionConflict' } : NONE)))
    for (const { place } of steps) this.#writers.set(place, 'transaction')
    try {
      const reasons = await Promise.all(
        steps.map(async ({ operation, data }) => {
          const Item = await this.#read(operation)
          if (db.checkConditional(data, Item) == null) return NONE
          const Message = 'The conditional request failed'
          const failed = { Code: 'ConditionalCheckFailed', Message }
          return operation['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD' ? { ...failed, Item } : failed
        }),
      )
      await this.inTransaction()
      cancelIf(reasons)
      for (const { kind, operation } of steps) {
        if (kind !== 'ConditionCheck') await this.#execute(`${kind}Item`, operation)
      }
    } finally {
      for (const { place } of steps) this.#writers.delete(place)
    }
    return {}
  }

  async #write(call: string, operation: Operation): Promise<Body> {
    const place = await this.#placeOf(operation)
    const earlier = this.#writers.get(place)
    if (earlier === 'transaction') {
      throw new Failure('TransactionConflictException', 'Transaction is ongoing for the item')
    }
    const writing = Promise.resolve(earlier)
      .catch(() => undefined)
      .then(() => this.#writeAlone(call, operation))
    this.#writers.set(place, writing)
    try {
      return await writing
    } finally {
      if (this.#writers.get(place) === writing) this.#writers.delete(place)
    }
  }

  async #writeAlone(call: string, operation: Operation): Promise<Body> {
    const Item = await this.#read(operation)
    try {
      return await this.#execute(call, operation)
    } catch (error) {
      const isWanted = operation['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD'
      const { body } = error as Partial<Failure>
      if (!isWanted || Item === undefined || !String(body?.['__type']).includes('ConditionalCheck'))
        throw error
      throw new Failure('ConditionalCheckFailedException', 'The conditional request failed', { Item })
    }
  }

  #timeToLive({ TableName, TimeToLiveSpecification: wanted }: Body): Body {
    const table = String(TableName)
    const current = this.#timesToLive.get(table)
    if (wanted === undefined) {
      if (current === undefined) return { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } }
      return { TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: current } }
    }
    if (current !== undefined) {
      throw new Failure('ValidationException', `TimeToLive is active on the attribute ${current}`)
    }
    this.#timesToLive.set(table, (wanted as { AttributeName: string }).AttributeName)
    return { TimeToLiveSpecification: wanted }
  }

  async #read(operation: Operation): Promise<Values | undefined> {
    const { TableName } = operation
    const Key = await this.#keyOf(operation)
    const { Item } = await this.#execute('GetItem', { TableName, Key, ConsistentRead: true })
    return Item as Values | undefined
  }

  async #placeOf(operation: Operation): Promise<string> {
    return `${operation.TableName} ${JSON.stringify(await this.#keyOf(operation))}`
  }

  async #keyOf({ TableName, Key, Item }: Operation): Promise<Values> {
    if (Key !== undefined) return Key
    const names = this.#keys.get(TableName) ?? (await this.#describe(TableName))
    return Object.fromEntries(names.map((name) => [name, Item?.[name] ?? {}]))
  }

  /** dynalite reads all items of a table to describe it, so the answer is kept. */
  async #describe(TableName: string): Promise<readonly string[]> {
    const { Table } = (await this.#execute('DescribeTable', { TableName })) as {
      readonly Table: { readonly KeySchema: readonly { readonly AttributeName: string }[] }
    }
    const names = Table.KeySchema.map(({ AttributeName }) => AttributeName)
    this.#keys.set(TableName, names)
    return names
  }

  /** The checks of an operation of a transaction, and its condition as dynalite parses it. */
  #check(kind: string, operation: Operation): Body {
    return this.#parse(kind === 'ConditionCheck' ? 'deleteItem' : `${kind.toLowerCase()}Item`, operation)
  }

  #parse(action: string, body: Body): Body {
    const { types, custom } = require(`dynalite/validations/${action}`) as { types: object; custom: unknown }
    // It deletes what it does not know.
    const data = validations.checkTypes({ ...body }, types)
    validations.checkValidations(data, types, custom, this.#store)
    return data
  }

  async #execute(call: string, body: Body): Promise<Body> {
    const action = call[0]!.toLowerCase() + call.slice(1)
    const data = this.#parse(action, body)
    const run = require(`dynalite/actions/${action}`) as (
      store: unknown,
      data: Body,
      done: (error: Error | null, answer: Body) => void,
    ) => void
    return new Promise((resolve, reject) => {
      run(this.#store, data, (error, answer) => {
        if (error === null) resolve(answer)
        else reject(error)
      })
    })
  }
}

const NONE = { Code: 'None' }

function cancelIf(reasons: readonly { readonly Code: string }[]): void {
  if (reasons.every((reason) => reason === NONE)) return
  const codes = reasons.map(({ Code }) => Code).join(', ')
  throw new Failure(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  )
}
