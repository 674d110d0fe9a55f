import { readFileSync, readdirSync } from 'node:fs'
import { StatusError, parseGroupVersion } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtinKinds, conform, messageFor, storedKindsOf } from '../kinds/index.ts'
import { message, opt, list } from '../kinds/message.ts'
import { arbitraryOf } from './arbitrary.test-data.ts'
import { decodeBody, decodeMessage, encodeBody, encodeMessage } from './index.ts'

const directory = new URL('./testdata/', import.meta.url)
const bodies = readdirSync(directory)
  .filter((file) => file.endsWith('.json'))
  .flatMap(
    (file) =>
      JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as {
        kind: string
        case: string
        body: string
        json: { apiVersion: string }
      }[],
  )

describe('codec', () => {
  it.each([...builtinKinds, ...storedKindsOf(['all'])].map((row) => [`${row.group}/${row.kind}`, row] as const))(
    'decodes what it encodes: %s',
    (_name, row) => {
      fc.assert(
        fc.property(arbitraryOf(row.message), (raw) => {
          const { object, unknownFields } = conform(row.message, raw)
          expect(unknownFields).toEqual([])
          expect(decodeMessage(row.message, encodeMessage(row.message, object))).toEqual(object)
        }),
        { numRuns: 30 },
      )
    },
  )
})

describe('malformed bodies', () => {
  /** 200 for bytes that are a body after all; anything but a StatusError is a fault. */
  const attempt = (body: Uint8Array): number => {
    try {
      decodeBody(body, messageFor)
      return 200
    } catch (error) {
      return error instanceof StatusError ? error.code : 500
    }
  }

  it('answers BadRequest to any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect([200, 400]).toContain(attempt(Buffer.concat([Buffer.from('k8s\0'), bytes])))
      }),
    )
    expect(() => decodeBody(Buffer.from('{}'), messageFor)).toThrow(StatusError)
    expect(() => decodeBody(new Uint8Array(0), messageFor)).toThrow(StatusError)
  })

  it('answers BadRequest or an object to bodies that are cut or changed', () => {
    const full = bodies.filter((vector) => vector.case === 'sparse 1').map((vector) => Buffer.from(vector.body, 'base64'))
    const codes = new Set<number>()
    for (const body of full) {
      for (let length = 4; length < body.length; length += 7) codes.add(attempt(body.subarray(0, length)))
      for (let index = 4; index < body.length; index += 5) {
        const changed = Buffer.from(body)
        changed[index] = (changed[index] ?? 0) ^ 0xff
        codes.add(attempt(changed))
      }
    }
    expect([...codes].sort()).toEqual([200, 400])
  })

  it('refuses nesting without bound', () => {
    const schema = messageFor({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' })
    if (schema === undefined) throw new Error('no message')
    let nested: Record<string, unknown> = { type: 'string' }
    for (let depth = 0; depth < 300; depth++) nested = { properties: { a: nested } }
    const object = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      spec: { versions: [{ schema: { openAPIV3Schema: nested } }] },
    }
    expect(() => decodeBody(encodeBody(schema, object), messageFor)).toThrow(/nested deeper/)
  })

  it('refuses a wire type that does not fit, and content encodings', () => {
    // ConfigMap.metadata (1) as a varint.
    const raw = Buffer.from([0x08, 0x01])
    const envelope = Buffer.concat([
      Buffer.from('k8s\0'),
      Buffer.from([0x0a, 0x0f, 0x0a, 0x02]),
      Buffer.from('v1'),
      Buffer.from([0x12, 0x09]),
      Buffer.from('ConfigMap'),
      Buffer.from([0x12, raw.length]),
      raw,
    ])
    expect(() => decodeBody(envelope, messageFor)).toThrow(/wrong wire type/)
    expect(() => decodeBody(Buffer.from('k8s\0\x1a\x04gzip', 'latin1'), messageFor)).toThrow(/content encoding/)
  })
})

describe('envelope', () => {
  it('takes apiVersion and kind from the request when the body has none', () => {
    const bare = Buffer.from('k8s\0\x12\x00', 'latin1')
    expect(decodeBody(bare, messageFor, { group: '', version: 'v1', kind: 'ConfigMap' })).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {},
    })
    expect(() => decodeBody(bare, messageFor)).toThrow(/no kind ""/)
  })

  it.each(['v1', 'apps/v1', 'example.org/v1alpha1', 'meta.k8s.io/v1'])('reads DeleteOptions of %s', (apiVersion) => {
    const options = messageFor({ ...parseGroupVersion(apiVersion), kind: 'DeleteOptions' })
    if (options === undefined) throw new Error('no DeleteOptions')
    const object = {
      apiVersion,
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u' },
    }
    expect(decodeBody(encodeBody(options, object), messageFor)).toEqual(object)
  })

  it('refuses kinds it does not know', () => {
    const object = { apiVersion: 'v2', kind: 'ConfigMap', metadata: {} }
    const target = messageFor({ group: '', version: 'v1', kind: 'ConfigMap' })
    if (target === undefined) throw new Error('no message')
    expect(() => decodeBody(encodeBody(target, object), messageFor)).toThrow(/no kind "ConfigMap" is registered for version "v2"/)
  })
})

describe('repeated fields', () => {
  const numbers = message('test.Numbers', '', () => ({
    values: opt(1, list('int64')),
    inner: opt(
      2,
      message('test.Inner', '', () => ({ a: opt(1, 'string'), b: opt(2, 'string') })),
    ),
  }))

  it('reads packed and unpacked numbers alike', () => {
    expect(decodeMessage(numbers, Uint8Array.of(0x0a, 2, 1, 2, 0x08, 3))).toMatchObject({ values: [1, 2, 3] })
  })

  it('joins a message sent in parts, in linear time', () => {
    const part = (number: number, text: string): Buffer =>
      Buffer.from([0x12, 2 + text.length, number * 8 + 2, text.length, ...Buffer.from(text)])
    expect(decodeMessage(numbers, Buffer.concat([part(1, 'x'), part(2, 'y')]))).toMatchObject({ inner: { a: 'x', b: 'y' } })
    const many = Buffer.concat(Array.from({ length: 100_000 }, () => part(1, 'x')))
    expect(decodeMessage(numbers, many)).toMatchObject({ inner: { a: 'x' } })
  })

  it('skips unknown fields', () => {
    expect(decodeMessage(numbers, Uint8Array.of(0x78, 1, 0x08, 3))).toMatchObject({ values: [3] })
  })
})
