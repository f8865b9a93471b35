import { DynamoDBClient, type TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { answerWithin } from '@service-signature/inbox'

/** A client of `@aws-sdk/lib-dynamodb`, such as `DynamoDBDocumentClient.from(client)`. Its items have plain values. */
export interface DynamoDocumentClient {
  send(command: never, options?: never): Promise<unknown>
  readonly config: { readonly translateConfig?: object }
}

/** An item of a transaction for a document client: a `TransactWriteItem` with plain values. */
export type DynamoDocumentItem = {
  readonly [Kind in keyof TransactWriteItem]:
    WithPlainValues<NonNullable<TransactWriteItem[Kind]>> | undefined
}

type WithPlainValues<Operation> = {
  readonly [Name in keyof Operation]: Name extends 'Item' | 'Key' | 'ExpressionAttributeValues'
    ? Readonly<Record<string, unknown>> | undefined
    : Operation[Name]
}

/**
 * Whether the items of a client have plain values.
 *
 * @throws {TypeError} if it is not a client of the AWS SDK 3
 */
export function isDocumentClient(client: unknown): boolean {
  if (client instanceof DynamoDBClient) return false
  const { send, config } = Object(client) as { readonly send?: unknown; readonly config?: unknown }
  if (typeof send === 'function' && 'translateConfig' in (Object(config) as object)) return true
  throw new TypeError(
    'dynamoInbox: expected a DynamoDBClient of "@aws-sdk/client-dynamodb" or a DynamoDBDocumentClient of ' +
      '"@aws-sdk/lib-dynamodb". If it is one, there are two copies: see "npm ls @aws-sdk/client-dynamodb"',
  )
}

/** A command of the SDK. */
export interface Command {
  readonly input: object
}

/** Sends a command of either client, within a time limit. */
export type Call = (command: Command) => Promise<unknown>

/** The document client sends commands of the plain client as well. */
export function callsOf(client: DynamoDBClient, seconds: number): Call {
  return async (command) => {
    const stop = new AbortController()
    const sending = client.send(command as never, { abortSignal: stop.signal })
    try {
      // The signal alone would not end the pauses between the attempts of the SDK, nor its search for credentials.
      return await answerWithin(seconds, sending)
    } catch (error) {
      stop.abort()
      throw error
    }
  }
}
