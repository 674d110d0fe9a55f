import { GONE } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { formatExplanation } from './format-schema.ts'
import { resolverOf, type Schema } from './schema.ts'

describe('what is explained of a kind', () => {
  const schema: Schema = {
    type: 'object',
    properties: { size: { type: 'integer', description: 'How large it is.' }, formerSize: { type: 'integer', description: GONE } },
  }
  it.each([true, false])('marks fields that the provider no longer has (recursive: %s)', (recursive) => {
    const text = formatExplanation({ group: 'x.org', version: 'v1', kind: 'Thing', path: [], schema, resolve: resolverOf({}) }, recursive)
    expect(text).toContain('formerSize\t<integer> -gone-\n')
    expect(text).toContain('size\t<integer>\n')
  })
})
