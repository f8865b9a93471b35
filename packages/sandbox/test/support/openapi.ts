import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

export interface OpenApi {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

export interface Operation {
  readonly summary?: string
  readonly 'x-sandbox-path'?: boolean
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>
}

type Content = Readonly<Record<string, { readonly schema: object }>>

/** Holds answers against the document. */
export class Document {
  readonly openApi: OpenApi
  readonly #ajv: Ajv2020
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(openApi: OpenApi) {
    this.openApi = openApi
    this.#ajv = new Ajv2020({ strict: false, allErrors: true })
    this.#ajv.addSchema({ $id: 'document', components: openApi.components })
  }

  check(method: string, path: string, status: number, contentType: string, body: unknown): void {
    const operation = this.operationOf(method, path)
    expect(operation, `${method} ${path} is in the document`).toBeDefined()
    const response = operation!.responses[status]
    expect(response, `${method} ${path} ${status} is in the document`).toBeDefined()
    const media = response!.content[contentType.split(';', 1)[0]!]
    expect(media, `${method} ${path} ${status} as ${contentType} is in the document`).toBeDefined()
    const validate = this.compile(media!.schema)
    validate(body)
    expect(validate.errors, `${method} ${path} ${status} is as the document says`).toBeNull()
  }

  operationOf(method: string, path: string): Operation | undefined {
    const templates = Object.keys(this.openApi.paths).filter((template) => {
      const pattern = template.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')
      return new RegExp(`^${pattern}$`).test(path)
    })
    // A fixed path goes before one with a parameter.
    const template = templates.sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))[0]
    return template === undefined ? undefined : this.openApi.paths[template]![method.toLowerCase()]
  }

  compile(schema: object): ValidateFunction {
    // References lead to where the components are.
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
    let validate = this.#compiled.get(text)
    if (validate === undefined) {
      validate = this.#ajv.compile(JSON.parse(text) as object)
      this.#compiled.set(text, validate)
    }
    return validate
  }
}
