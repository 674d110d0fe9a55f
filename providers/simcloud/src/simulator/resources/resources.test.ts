import { X509Certificate } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldRule, SimulatedKind } from '../../catalogue/simulated-kind.ts'
import { seededRandom } from '../faults/seeded-random.ts'
import { newClusterIdentity } from './certificates.ts'
import { fixedDelays, realisticDelays } from './delays.ts'
import { newDetails, rotatedConnection } from './details.ts'
import { Expiry } from './expiry.ts'
import { mergePatch, valueAt, withValueAt } from './parameter-path.ts'
import { immutableChanges, problemsOf, withDefaults } from './parameters.ts'

const rule = (path: string, more: Partial<FieldRule> = {}): FieldRule => ({ path, type: 'any', required: false, immutable: false, ...more })

describe('parameter paths', () => {
  it('read and write without touching the original', () => {
    const before = { a: { b: 1 }, c: null }
    expect(valueAt(before, 'a.b')).toBe(1)
    expect(valueAt(before, 'c')).toBeUndefined()
    expect(valueAt(before, 'a.b.x')).toBeUndefined()
    expect(valueAt(before, 'constructor')).toBeUndefined()
    expect(withValueAt(before, 'a.x.y', 2)).toEqual({ a: { b: 1, x: { y: 2 } }, c: null })
    expect(withValueAt(before, 'a.b.x', 2)).toBeUndefined()
    expect(before).toEqual({ a: { b: 1 }, c: null })
  })

  it.each([
    [
      { a: 1, b: 2 },
      { a: null, c: 3 },
      { b: 2, c: 3 },
    ],
    [{ a: { b: 1 } }, { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
    [{ a: [1] }, { a: [2, 3] }, { a: [2, 3] }],
    [{ a: 1 }, { a: { b: { c: null } } }, { a: { b: {} } }],
  ])('RFC 7386: %j patched by %j', (target, patch, wanted) => {
    expect(mergePatch(target, patch)).toEqual(wanted)
  })

  it('store hostile keys as data', () => {
    const patched = mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}'))
    expect(Object.getPrototypeOf(patched)).toBe(Object.prototype)
    expect(Object.keys(patched as object)).toEqual(['__proto__'])
  })
})

describe('field rules', () => {
  it.each([
    ['required', rule('a', { required: true }), {}, 'is required'],
    ['a null is absent', rule('a', { required: true }), { a: null }, 'is required'],
    ['string', rule('a', { type: 'string' }), { a: 1 }, 'must be a string'],
    ['an empty string is none', rule('a', { type: 'string' }), { a: '' }, 'must be a string'],
    ['integer', rule('a', { type: 'integer' }), { a: 1.5 }, 'must be a whole number'],
    [
      '003:370, B35: a number beyond all size',
      rule('a', { type: 'integer', maximum: 300 }),
      { a: 99999999999999999999999n },
      'must be at most 300',
    ],
    ['minimum', rule('a', { type: 'number', minimum: 10 }), { a: 9 }, 'must be at least 10'],
    ['enum', rule('a', { enum: ['x'] }), { a: 'y' }, 'must be one of "x"'],
    ['boolean', rule('a', { type: 'boolean' }), { a: 'true' }, 'must be true or false'],
    ['object', rule('a', { type: 'object' }), { a: [] }, 'must be an object'],
    ['list', rule('a', { type: 'list' }), { a: {} }, 'must be a list'],
    ['scalar', rule('a', { type: 'scalar' }), { a: {} }, 'must be a string or a number'],
  ])('refuse: %s', (_, field, parameters, message) => {
    expect(problemsOf(parameters, [field])[0]).toMatchObject({ field: 'a', message: expect.stringContaining(message) })
  })

  it('B33: a version may be a number', () => {
    expect(problemsOf({ version: 1.16 }, [rule('version', { type: 'scalar' })])).toEqual([])
  })

  it('fill in defaults where nothing is said, and only there', () => {
    const rules = [rule('a.b', { default: 1 }), rule('c', { default: 'x' })]
    expect(withDefaults({ c: 'y' }, rules)).toEqual({ c: 'y', a: { b: 1 } })
    expect(withDefaults({ a: 'in the way' }, rules)).toEqual({ a: 'in the way', c: 'x' })
  })

  it('find what may not change', () => {
    const rules = [rule('a', { immutable: true }), rule('b')]
    expect(immutableChanges({ a: { x: 1 }, b: 1 }, { a: { x: 1 }, b: 2 }, rules)).toEqual([])
    expect(immutableChanges({ a: 1 }, {}, rules)).toMatchObject([{ field: 'a' }])
  })
})

describe('details', () => {
  const detail = (name: string, value: object, more: object = {}) => ({
    name,
    description: '',
    value,
    whenReady: false,
    rotates: false,
    ...more,
  })
  const kind = {
    outputs: [detail('link', { type: 'template', template: '/{account}/{name}' }), detail('ip', { type: 'generate', generator: 'ipv4' })],
    connection: [
      detail('endpoint', { type: 'template', template: 'https://{outputs.ip}' }),
      detail('password', { type: 'generate', generator: 'password' }, { rotates: true }),
      detail('ca', { type: 'generate', generator: 'clusterCertificate' }),
      detail('url', { type: 'template', template: '{connection.endpoint}?{connection.password}&{parameters.version}' }),
      detail('port', { type: 'choose', field: 'version', prefixes: [['1', 'one']], otherwise: 'other' }),
    ],
  } as unknown as SimulatedKind
  const source = { name: 'n', account: 'acc', id: 'id', parameters: { version: 1.16 }, now: Date.now() }

  it('are made from templates, generators and each other', () => {
    const { outputs, connection } = newDetails(kind, source)
    expect(outputs['link']).toBe('/acc/n')
    expect(outputs['ip']).toMatch(/^(203\.0\.113|198\.51\.100)\.\d+$/)
    expect(connection).toMatchObject({
      endpoint: `https://${outputs['ip']}`,
      url: `https://${outputs['ip']}?${connection['password']}&1.16`,
      port: 'one',
    })
    expect(connection['password']).toMatch(/^[\w-]{32}$/)
    expect(newDetails(kind, source).connection['password']).not.toBe(connection['password'])
  })

  it('keep everything but the secrets in a rotation, and what quotes a secret follows', () => {
    const { outputs, connection } = newDetails(kind, source)
    const rotated = rotatedConnection(kind, source, outputs, connection)
    expect(rotated['ca']).toBe(connection['ca'])
    expect(rotated['endpoint']).toBe(connection['endpoint'])
    expect(rotated['password']).not.toBe(connection['password'])
    expect(rotated['url']).toContain(rotated['password'])
  })
})

describe('a cluster identity', () => {
  it('is an authority and a client certificate that it signed', () => {
    const { clusterCertificate, clientCertificate, clientKey } = newClusterIdentity('prod', Date.now())
    const [authority, client] = [new X509Certificate(clusterCertificate), new X509Certificate(clientCertificate)]
    expect(authority.ca).toBe(true)
    expect(authority.subject).toBe('CN=prod CA')
    expect(authority.verify(authority.publicKey)).toBe(true)
    expect(client.ca).toBe(false)
    expect(client.checkIssued(authority)).toBe(true)
    expect(client.verify(authority.publicKey)).toBe(true)
    expect(clientKey).toContain('PRIVATE KEY')
    expect(new Date(client.validTo).getTime()).toBeGreaterThan(Date.now())
  })
})

describe('delays', () => {
  it('are fixed, or in proportion to reality', () => {
    expect(fixedDelays(0)('slow', 'create')).toBe(0)
    const delays = realisticDelays(20, seededRandom(1))
    for (let i = 0; i < 50; i++) {
      expect(delays('instant', 'create')).toBe(0)
      const [create, remove] = [delays('slow', 'create'), delays('slow', 'delete')]
      expect(create).toBeGreaterThanOrEqual(12_000)
      expect(create).toBeLessThanOrEqual(18_000)
      expect(remove).toBeLessThanOrEqual(9_000)
    }
  })
})

describe('expiry', () => {
  it('answers everything that is due, earliest first, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 })), fc.integer({ min: 0, max: 100 }), (times, now) => {
        const expiry = new Expiry()
        for (const at of times) expiry.add(String(at), at)
        const due = [...expiry.due(now)].map(Number)
        expect(due).toEqual(times.filter((at) => at <= now).sort((a, b) => a - b))
        expect([...expiry.due(100)]).toHaveLength(times.length - due.length)
      }),
    )
  })
})
