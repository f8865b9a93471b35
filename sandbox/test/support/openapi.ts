import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

export interface OpenApi {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly tags: readonly { readonly name: string }[]
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

export interface Operation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly description?: string
  readonly 'x-sandbox-path'?: boolean
  readonly security?: readonly object[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content: Content }>>
}

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: object }>>

/** Compares answers with the document. */
export class Document {
  readonly openApi: OpenApi
  readonly #ajv: Ajv2020
  /** By the schema, and by its text: many operations have the same. */
  readonly #compiled = new Map<object | string, ValidateFunction>()
  readonly #templates: readonly { readonly pattern: RegExp; readonly template: string }[]

  constructor(openApi: OpenApi) {
    this.openApi = openApi
    this.#ajv = new Ajv2020({ strict: false, allErrors: true })
    this.#ajv.addSchema({ $id: 'document', components: openApi.components })
    this.#templates = Object.keys(openApi.paths)
      // A fixed path goes before one with a parameter.
      .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
      .map((template) => {
        const pattern = template.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')
        return { pattern: new RegExp(`^${pattern}$`), template }
      })
  }

  /** Every operation, with "x" for the parameters of its path. */
  get operations() {
    return Object.entries(this.openApi.paths).flatMap(([template, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        template,
        path: template.replace(/\{[^}]+\}/g, 'x'),
        operation,
      })),
    )
  }

  check(method: string, path: string, status: number, contentType: string, body: unknown): void {
    const operation = this.operationOf(method, path)
    expect(operation, `${method} ${path} is in the document`).toBeDefined()
    const response = operation!.responses[status === 200 ? '200' : `${String(status)[0]!}XX`]
    expect(response, `${method} ${path} ${status} is in the document`).toBeDefined()
    const media = response!.content[contentType.split(';', 1)[0]!]
    expect(media, `${method} ${path} ${status} as ${contentType} is in the document`).toBeDefined()
    const validate = this.compile(media!.schema)
    validate(body)
    expect(validate.errors, `${method} ${path} ${status} is as the document says`).toBeNull()
  }

  operationOf(method: string, path: string): Operation | undefined {
    const found = this.#templates.find(({ pattern }) => pattern.test(path))
    return found && this.openApi.paths[found.template]![method.toLowerCase()]
  }

  compile(schema: object): ValidateFunction {
    const known = this.#compiled.get(schema)
    if (known !== undefined) return known
    // References lead to where the components are.
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
    const validate = this.#compiled.get(text) ?? this.#ajv.compile(JSON.parse(text) as object)
    this.#compiled.set(schema, validate).set(text, validate)
    return validate
  }
}
