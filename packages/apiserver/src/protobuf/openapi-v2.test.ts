import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { encodeOpenApiV2 } from './openapi-v2.ts'
import { BYTES, WireReader } from './wire-reader.ts'

const file = (name: string): string => readFileSync(new URL(`./testdata/openapi/${name}`, import.meta.url), 'utf8')

/** Strings anywhere in a message, to find a value without a decoder. */
function texts(bytes: Uint8Array): string[] {
  const reader = new WireReader(bytes)
  const found: string[] = []
  try {
    while (!reader.done) {
      const { wire } = reader.tag()
      if (wire !== BYTES) reader.skip(wire)
      else {
        const inner = reader.bytes()
        found.push(inner.toString('utf8'), ...texts(inner))
      }
    }
  } catch {
    // Not a message: its text was recorded by the caller.
  }
  return found
}

describe('OpenAPI 2 as protobuf', () => {
  it('is byte for byte what gnostic makes of the same document', () => {
    expect(encodeOpenApiV2(JSON.parse(file('document.json'))).toString('base64')).toBe(file('document.base64'))
  })

  it('carries extensions as YAML, of which JSON is a part', () => {
    const document = { definitions: { a: { 'x-kubernetes-list-map-keys': ['name'], enum: ['x', 1], default: { b: 1 } } } }
    expect(texts(encodeOpenApiV2(document))).toEqual(
      expect.arrayContaining(['x-kubernetes-list-map-keys', '["name"]', '"x"', '1', '{"b":1}']),
    )
  })

  it('leaves out what it does not know', () => {
    expect(encodeOpenApiV2({ swagger: '2.0', unknown: { a: 1 } }).toString('hex')).toBe(Buffer.from('\n\x032.0').toString('hex'))
    expect(encodeOpenApiV2(null)).toHaveLength(0)
  })
})
