import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@weft/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseDocuments } from '../../catalogue/data-file.ts'
import { catalogueOf } from '../../catalogue/kinds.ts'
import type { ErrorCode } from '../../wire/error.ts'
import { Store } from '../state/store.ts'
import { CloudError } from './cloud-error.ts'
import { fixedDelays } from './delays.ts'
import { SimulatedCloud } from './simulated-cloud.ts'
import type { ResourceKey } from './stored-resource.ts'

const kind = (name: string, spec: string): string =>
  `apiVersion: simcloud.weft.dev/v1alpha1\nkind: SimulatedKind\nmetadata: {name: ${name}.gcp}\nspec:\n  cloud: gcp\n  kind: ${name}\n  managed: []\n  delay: fast\n${spec}\n---\n`
const catalogue = catalogueOf(
  parseDocuments(
    kind(
      'networks',
      '  quota: 3\n  connection: [{name: password, generate: password}, {name: endpoint, template: "{name}.example", whenReady: true}]\n  fields: [{path: mode, type: string, default: auto}]',
    ) +
      kind(
        'subnets',
        '  fields: [{path: network, type: string, required: true, immutable: true}]\n  parents: [{field: network, kinds: [networks], required: true, existing: [default]}]',
      ) +
      kind('buckets', '  unique: Cloud\n  maxNameLength: 10'),
    'kinds.yaml',
  ),
)

const DELAY = 1_000
let directory: string
let store: Store
let now: number
let cloud: SimulatedCloud
const restart = async (): Promise<void> => {
  await store.close()
  open()
}
const open = (): void => {
  store = Store.open(join(directory, 'state'))
  cloud = new SimulatedCloud({ catalogue, store, delays: fixedDelays(DELAY), now: () => now })
}
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'simcloud-'))
  now = 1_000_000
  open()
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

const key = (kind: string, name: string, account = 'a'): ResourceKey => ({ cloud: 'gcp', account, kind, name })
const create = (kind: string, name: string, parameters: JsonObject = {}, more: { account?: string; clientToken?: string } = {}) =>
  cloud.create({ ...key(kind, name, more.account), parameters, clientToken: more.clientToken }).resource
const running = (kind: string, name: string, parameters: JsonObject = {}, more: { account?: string } = {}) => {
  create(kind, name, parameters, more)
  now += DELAY
}
const refusal = (action: () => unknown): ErrorCode | undefined => {
  try {
    action()
  } catch (error) {
    if (error instanceof CloudError) return error.code
    throw error
  }
  return undefined
}

describe('the life of a resource', () => {
  it('CREATING → RUNNING → UPDATING → RUNNING → DELETING → gone', () => {
    expect(create('networks', 'n')).toMatchObject({ state: 'CREATING', generation: 1, parameters: { mode: 'auto' } })
    now += DELAY - 1
    expect(cloud.get(key('networks', 'n')).state).toBe('CREATING')
    now += 1
    expect(cloud.get(key('networks', 'n')).state).toBe('RUNNING')
    expect(cloud.update(key('networks', 'n'), { mode: 'custom' })).toMatchObject({ state: 'UPDATING', generation: 2 })
    now += DELAY
    expect(cloud.get(key('networks', 'n'))).toMatchObject({ state: 'RUNNING', parameters: { mode: 'custom' } })
    expect(cloud.delete(key('networks', 'n')).state).toBe('DELETING')
    expect(cloud.delete(key('networks', 'n')).state, 'asked again').toBe('DELETING')
    now += DELAY
    expect(refusal(() => cloud.get(key('networks', 'n')))).toBe('NotFound')
    expect(cloud.all()).toEqual([])
  })

  it('goes on across a restart', async () => {
    create('networks', 'n')
    running('networks', 'm')
    cloud.delete(key('networks', 'm'))
    await restart()
    expect(cloud.get(key('networks', 'm')).state).toBe('DELETING')
    now += DELAY
    await restart()
    expect(cloud.all().map(({ name, state }) => [name, state])).toEqual([['n', 'RUNNING']])
  })

  it('an update that changes nothing starts nothing', () => {
    running('networks', 'n')
    expect(cloud.update(key('networks', 'n'), { mode: 'auto' })).toMatchObject({ state: 'RUNNING', generation: 1 })
    expect(cloud.update(key('networks', 'n'), { mode: null }), 'a default takes the place of what is removed').toMatchObject({
      generation: 1,
    })
  })

  it('while an operation runs, no other starts', () => {
    create('networks', 'n')
    expect(refusal(() => cloud.update(key('networks', 'n'), { mode: 'x' }))).toBe('NotReady')
    expect(refusal(() => cloud.delete(key('networks', 'n')))).toBe('NotReady')
    expect(refusal(() => cloud.rotate(key('networks', 'n')))).toBe('NotReady')
  })

  it('only the generation asked for is changed', () => {
    running('networks', 'n')
    expect(refusal(() => cloud.update(key('networks', 'n'), { mode: 'x' }, 7))).toBe('PreconditionFailed')
    expect(refusal(() => cloud.delete(key('networks', 'n'), 7))).toBe('PreconditionFailed')
    expect(cloud.update(key('networks', 'n'), { mode: 'x' }, 1).generation).toBe(2)
  })
})

describe('names', () => {
  it('are unique in an account and kind, until the deletion is over', () => {
    running('networks', 'n')
    expect(refusal(() => create('networks', 'n'))).toBe('AlreadyExists')
    expect(create('networks', 'n', {}, { account: 'b' }).state).toBe('CREATING')
    cloud.delete(key('networks', 'n'))
    expect(refusal(() => create('networks', 'n'))).toBe('AlreadyExists')
    now += DELAY
    expect(create('networks', 'n').state).toBe('CREATING')
  })

  it('of buckets are unique in the whole cloud', () => {
    running('buckets', 'mine')
    expect(refusal(() => create('buckets', 'mine', {}, { account: 'b' }))).toBe('AlreadyExists')
    cloud.delete(key('buckets', 'mine'))
    now += DELAY
    expect(create('buckets', 'mine', {}, { account: 'b' }).account).toBe('b')
  })

  it('have a length', () => {
    expect(refusal(() => create('buckets', 'x'.repeat(11)))).toBe('Invalid')
  })

  it('an unknown kind is not found', () => {
    expect(refusal(() => create('nothings', 'n'))).toBe('NotFound')
  })
})

describe('parents', () => {
  it('must exist and run', () => {
    expect(refusal(() => create('subnets', 's'))).toBe('Invalid')
    expect(refusal(() => create('subnets', 's', { network: 'n' }))).toBe('ParentNotFound')
    create('networks', 'n')
    expect(refusal(() => create('subnets', 's', { network: 'n' }))).toBe('NotReady')
    now += DELAY
    expect(create('subnets', 's', { network: 'n' }).parents).toEqual(['gcp/a/networks/n'])
    expect(refusal(() => create('subnets', 't', { network: 'n' }) && create('subnets', 'u', { network: ['n'] }))).toBe('Invalid')
  })

  it('000:293: may be named by their path, and some exist everywhere', () => {
    running('networks', 'bar')
    expect(create('subnets', 's', { network: '/projects/foo/global/networks/bar' }).parents).toEqual(['gcp/a/networks/bar'])
    expect(create('subnets', 't', { network: 'default' }).parents).toEqual([])
  })

  it('stay while they have children', async () => {
    running('networks', 'n')
    running('subnets', 's', { network: 'n' })
    await restart()
    expect(refusal(() => cloud.delete(key('networks', 'n')))).toBe('InUse')
    cloud.delete(key('subnets', 's'))
    expect(
      refusal(() => cloud.delete(key('networks', 'n'))),
      'a child on its way out still counts',
    ).toBe('InUse')
    now += DELAY
    expect(cloud.delete(key('networks', 'n')).state).toBe('DELETING')
    expect(
      refusal(() => create('subnets', 's', { network: 'n' })),
      'a leaving parent takes no children',
    ).toBe('NotReady')
  })

  it('cannot be exchanged where the field is immutable', () => {
    running('networks', 'n')
    running('networks', 'm')
    running('subnets', 's', { network: 'n' })
    expect(refusal(() => cloud.update(key('subnets', 's'), { network: 'm' }))).toBe('Immutable')
  })
})

describe('quotas', () => {
  it('are per account and count what is being deleted', () => {
    for (const name of ['1', '2', '3']) running('networks', name)
    expect(refusal(() => create('networks', '4'))).toBe('QuotaExceeded')
    expect(create('networks', '4', {}, { account: 'b' }).name).toBe('4')
    cloud.delete(key('networks', '1'))
    expect(refusal(() => create('networks', '4'))).toBe('QuotaExceeded')
    now += DELAY
    expect(create('networks', '4').name).toBe('4')
  })

  it('can be set for an account', () => {
    store.putAccount({ cloud: 'gcp', account: 'a', tokens: [], quotas: { networks: 0 } })
    expect(refusal(() => create('networks', '1'))).toBe('QuotaExceeded')
  })
})

describe('client tokens', () => {
  it('make a create repeatable, also after a restart and an update', async () => {
    const first = create('networks', 'n', {}, { clientToken: 't' })
    await restart()
    expect(cloud.create({ ...key('networks', 'n'), parameters: {}, clientToken: 't' })).toMatchObject({
      created: false,
      resource: { id: first.id },
    })
    now += DELAY
    cloud.update(key('networks', 'n'), { mode: 'x' })
    expect(create('networks', 'n', {}, { clientToken: 't' }).id).toBe(first.id)
  })

  it('are not for another name or other parameters', () => {
    create('networks', 'n', {}, { clientToken: 't' })
    expect(refusal(() => create('networks', 'm', {}, { clientToken: 't' }))).toBe('TokenMismatch')
    expect(refusal(() => create('networks', 'n', { mode: 'x' }, { clientToken: 't' }))).toBe('TokenMismatch')
    expect(refusal(() => create('networks', 'n', {}, { clientToken: 'u' }))).toBe('AlreadyExists')
  })

  it('do not bring back what was deleted', () => {
    const first = create('networks', 'n', {}, { clientToken: 't' })
    now += DELAY
    cloud.delete(key('networks', 'n'))
    expect(refusal(() => create('networks', 'n', {}, { clientToken: 't' }))).toBe('AlreadyExists')
    now += DELAY
    expect(create('networks', 'n', {}, { clientToken: 't' }).id).not.toBe(first.id)
  })
})

describe('connections', () => {
  it('are complete once the resource has run', () => {
    const resource = create('networks', 'n')
    expect(cloud.connection(resource)).toEqual({ password: resource.connection['password'] })
    now += DELAY
    expect(cloud.connection(cloud.get(key('networks', 'n')))).toEqual({ password: resource.connection['password'], endpoint: 'n.example' })
  })

  it('get new passwords by rotation', () => {
    running('networks', 'n')
    const before = cloud.get(key('networks', 'n')).connection
    const after = cloud.rotate(key('networks', 'n')).connection
    expect(after['password']).not.toBe(before['password'])
    expect(after['endpoint']).toBe(before['endpoint'])
  })
})

describe('faults of operations', () => {
  it('a stalled operation ends when it is released', () => {
    cloud.create({ ...key('networks', 'n'), parameters: {} }, { stallMillis: null })
    now += 100 * DELAY
    expect(cloud.get(key('networks', 'n')).state).toBe('CREATING')
    cloud.releaseStalled()
    expect(cloud.get(key('networks', 'n')).state).toBe('RUNNING')
    cloud.delete(key('networks', 'n'), undefined, { stallMillis: null })
    now += 100 * DELAY
    expect(cloud.get(key('networks', 'n')).state).toBe('DELETING')
    cloud.releaseStalled()
    expect(cloud.all()).toEqual([])
  })

  it('a stalled operation does not outlive the simulator', async () => {
    cloud.create({ ...key('networks', 'n'), parameters: {} }, { stallMillis: null })
    await restart()
    expect(cloud.get(key('networks', 'n')).state).toBe('RUNNING')
  })

  it('a failed one can be mended or deleted', () => {
    cloud.create({ ...key('networks', 'n'), parameters: {} }, { failWith: 'no power' })
    now += DELAY
    expect(cloud.get(key('networks', 'n'))).toMatchObject({ state: 'FAILED', failure: 'no power', hasRun: false })
    expect(refusal(() => create('subnets', 's', { network: 'n' }))).toBe('NotReady')
    expect(cloud.update(key('networks', 'n'), {}).state, 'of use to nobody before it has run').toBe('CREATING')
    now += DELAY
    const mended = cloud.get(key('networks', 'n'))
    expect(mended.state).toBe('RUNNING')
    expect(mended.failure).toBeUndefined()
  })
})

describe('drift', () => {
  it('changes past every rule', () => {
    running('networks', 'n')
    running('subnets', 's', { network: 'n' })
    expect(cloud.drift(key('subnets', 's'), { parameters: { network: 'elsewhere', more: 1 } })).toMatchObject({
      parameters: { network: 'elsewhere', more: 1 },
      generation: 2,
      state: 'RUNNING',
    })
    expect(cloud.drift(key('networks', 'n'), { state: 'FAILED' }).state).toBe('FAILED')
    expect(cloud.drift(key('networks', 'n'), { state: 'RUNNING' }).failure).toBeUndefined()
    cloud.vanish(key('networks', 'n'))
    expect(refusal(() => cloud.get(key('networks', 'n')))).toBe('NotFound')
  })
})

describe('lists', () => {
  it('are in the order of names, page by page', () => {
    for (const name of ['c', 'a', 'b']) create('buckets', name)
    create('buckets', 'd', {}, { account: 'other' })
    const first = cloud.list('gcp', 'a', 'buckets', { limit: 2 })
    expect([first.items.map(({ name }) => name), first.more]).toEqual([['a', 'b'], true])
    const second = cloud.list('gcp', 'a', 'buckets', { limit: 2, after: 'b' })
    expect([second.items.map(({ name }) => name), second.more]).toEqual([['c'], false])
  })
})
