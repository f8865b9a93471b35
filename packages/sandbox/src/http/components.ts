/** What all answers have in common (S4.2, S7). */
const success = {
  $id: 'Success',
  type: 'object',
  properties: {
    code: { type: 'integer', enum: [200] },
    message: { type: 'string' },
    errors: { type: 'array', maxItems: 0 },
  },
  required: ['code', 'message', 'errors'],
  additionalProperties: false,
}

const refusal = {
  $id: 'Refusal',
  type: 'object',
  properties: {
    status: {
      type: 'object',
      properties: {
        code: { type: 'integer', minimum: 400 },
        message: { type: 'string' },
        errors: {
          type: 'array',
          description: 'The field that is wrong, and what is wrong with it',
          items: {
            type: 'object',
            additionalProperties: { type: 'string' },
            minProperties: 1,
            maxProperties: 1,
          },
        },
      },
      required: ['code', 'message', 'errors'],
      additionalProperties: false,
    },
    data: { type: 'null' },
    count: { type: 'integer', enum: [0] },
    next: { type: 'null' },
    previous: { type: 'null' },
  },
  required: ['status', 'data', 'count', 'next', 'previous'],
  additionalProperties: false,
}

export const envelopeSchemas = [success, refusal]
