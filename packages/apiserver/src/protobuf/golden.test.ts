import { readFileSync, readdirSync } from 'node:fs'
import { parseGroupVersion, parseJson } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { conform, messageFor } from '../kinds/index.ts'
import { decodeBody, encodeBody } from './index.ts'

/**
 * Bodies written by Kubernetes' own Go serialiser (k8s.io/api 0.36.3) and the JSON that Go makes of them: every kind
 * empty, with every field set, and twice with some fields zero. This is how we know that each field number is exact.
 */
interface Vector {
  readonly kind: string
  readonly case: string
  readonly body: string
  readonly json: { readonly apiVersion: string; readonly kind: string }
}

const directory = new URL('./testdata/', import.meta.url)
const vectors = readdirSync(directory)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => parseJson(readFileSync(new URL(file, directory), 'utf8')).value as unknown as Vector[])

/** Go writes null for lists, maps and times that are not set; we leave them out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== null)
  const result: Record<string, unknown> = {}
  for (const [key, inner] of entries)
    Object.defineProperty(result, key, { value: withoutNulls(inner), enumerable: true, writable: true, configurable: true })
  return result
}

describe('bodies of Go clients', () => {
  it('covers every kind', () => {
    expect(new Set(vectors.map(({ json }) => `${json.apiVersion} ${json.kind}`)).size).toBe(31)
  })

  it.each(vectors.map((vector) => [`${vector.json.apiVersion} ${vector.kind} ${vector.case}`, vector] as const))(
    'decodes and encodes %s',
    (_name, vector) => {
      const bytes = Buffer.from(vector.body, 'base64')
      const object = decodeBody(bytes, messageFor)
      expect(object).toEqual(withoutNulls(vector.json))
      const message = messageFor({ ...parseGroupVersion(vector.json.apiVersion), kind: vector.kind })
      if (message === undefined) throw new Error(`no message for ${vector.kind}`)
      expect(encodeBody(message, object as typeof vector.json).toString('base64')).toBe(vector.body)
    },
  )

  it('reads JSON as Go reads it: what Go wrote comes back the same', () => {
    for (const { kind, json } of vectors) {
      const message = messageFor({ ...parseGroupVersion(json.apiVersion), kind })
      if (message === undefined) throw new Error(`no message for ${kind}`)
      expect(conform(message, json)).toEqual({ object: withoutNulls(json), unknownFields: [] })
    }
  })
})
