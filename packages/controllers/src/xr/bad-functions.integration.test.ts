import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { KubeObject } from '@weft/api'
import {
  FunctionError,
  type FunctionRunner,
  FunctionRunners,
  parseFunctionAddress,
  type Resource,
  type RunFunctionResponse,
  type Struct,
} from '@weft/functions'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isTrue, managedKind, says, type World } from '../definition/world.fixture.ts'
import { machineryOf } from './machinery.ts'
import { crate, Maker, pipelineOf, startXrWorld, xr, xrd } from './platform.fixture.ts'

const STALL = { group: 'shop.example.org', kind: 'Stall' }
const KIOSK = { group: 'shop.example.org', kind: 'Kiosk' }
const CRATE = { group: 'nop.example.org', kind: 'Crate' }

/** A function that does what its input says, however bad that is; anything else is made as a Maker does. */
class Misfit implements FunctionRunner {
  readonly #maker = new Maker()
  calls = 0
  /** Who answers under another name. */
  program: FunctionRunner | undefined
  /** What it was shown last. */
  shown: Parameters<FunctionRunner['run']>[1] | undefined

  async run(...[name, request]: Parameters<FunctionRunner['run']>): Promise<RunFunctionResponse> {
    if (this.program !== undefined && name === 'program') return this.program.run(name, request)
    this.calls++
    this.shown = request
    const input = (request.input ?? {}) as { fault?: string; size?: number }
    const asking = (requirements: RunFunctionResponse['requirements']): RunFunctionResponse => ({ ...(requirements && { requirements }) })
    const selector = (matchName: string) => ({ apiVersion: 'apiextensions.crossplane.io/v1beta1', kind: 'EnvironmentConfig', matchName })
    switch (input.fault) {
      case undefined:
        return this.#maker.run(name, request)
      case 'hangs':
        throw new FunctionError('DeadlineExceeded', `function ${name} did not answer within 20 s`)
      case 'dies':
        throw new FunctionError('Unavailable', `function ${name} went away during the call`)
      case 'rubbish':
        throw new FunctionError('BadAnswer', `function ${name} answered what is no RunFunctionResponse`)
      case 'cyclic':
        // Never content with what it gets.
        return asking({ resources: { more: selector(`wish-${this.calls}`) } })
      case 'huge': {
        const text = 'x'.repeat(1000)
        const data = Object.fromEntries(Array.from({ length: (input.size ?? 0) / 1000 }, (_, i) => [`k${i}`, text]))
        return { desired: { resources: { big: { resource: { ...crate(data), metadata: { name: 'big' } } as Struct } } } }
      }
      case 'no object':
        return { desired: { resources: { odd: { resource: { kind: 5, metadata: 'text' } as unknown as Struct } as Resource } } }
      case 'asks':
        if (request.requiredResources?.['env'] === undefined || request.requiredResources['late'] === undefined)
          return asking({ resources: { late: selector('later') } })
        return this.#maker.run(name, request)
      default:
        throw new Error(`no fault ${input.fault}`)
    }
  }
}

let world: World
let misfit: Misfit
beforeEach(async () => {
  misfit = new Misfit()
  world = await startXrWorld(misfit)
  await world.create(
    managedKind('nop.example.org', 'Crate', 'crates'),
    xrd('Stall', 'stalls', { scope: 'Cluster' }),
    xrd('Kiosk', 'kiosks', { scope: 'Cluster' }),
    pipelineOf('good', 'Kiosk', { make: { one: crate() } }),
  )
})
afterEach(() => world.stop())

const refsOf = (object: KubeObject) => machineryOf(object, 'Cluster').resourceRefs ?? []

/** A composite that is composed by this says so; another one gets ready meanwhile, and what is wrong is put right by the Composition alone. */
async function expectFault(input: object, words: RegExp, functionName = 'maker'): Promise<void> {
  const { spec, ...rest } = pipelineOf('bad', 'Stall', input) as KubeObject & { spec: { pipeline: readonly object[] } }
  const pipeline = spec.pipeline.map((step) => ({ ...step, functionRef: { name: functionName } }))
  await world.create({ ...rest, spec: { ...spec, pipeline } } as KubeObject, xr('Stall', 'bad'))
  await world.until(STALL, 'bad', says('Synced', words))
  await world.create(xr('Kiosk', 'good', { crossplane: { compositionRef: { name: 'good' } } }))
  await world.until(KIOSK, 'good', isTrue('Ready'))
  expect(isTrue('Ready')(await world.client.get(STALL, { name: 'bad' }))).toBe(false)
  const composition = { group: 'apiextensions.crossplane.io', version: 'v1', kind: 'Composition' }
  const now = await world.client.get(composition, { name: 'bad' })
  await world.client.update({ ...now, spec: pipelineOf('bad', 'Stall', { make: { mended: crate() } })['spec'] } as KubeObject)
  await world.until(STALL, 'bad', (object) => isTrue('Ready')(object) && isTrue('Synced')(object))
}

describe('a function that misbehaves', () => {
  test.each<[string, object, RegExp]>([
    ['hangs', { fault: 'hangs' }, /cannot run Composition pipeline step "make": function maker did not answer within 20 s/],
    ['dies', { fault: 'dies' }, /cannot run Composition pipeline step "make": function maker went away/],
    ['answers rubbish', { fault: 'rubbish' }, /cannot run Composition pipeline step "make": function maker answered what is no/],
    [
      'K81: never stops asking',
      { fault: 'cyclic' },
      /cannot run Composition pipeline step "make": requirements didn't stabilize after the maximum number of iterations \(5\)/,
    ],
    ['answers 10 MB', { fault: 'huge', size: 10_000_000 }, /cannot apply composed resource "big": .*(too large|larger than max|limit)/i],
    ['answers what is no object', { fault: 'no object' }, /cannot (apply|compose|render)/],
    [
      'gives two resources one name',
      { make: { left: crate({}, { name: 'twin' }), right: crate({}, { name: 'twin' }) } },
      /composed resources "left" and "right" are both Crate "twin": give them different names/,
    ],
    ['gives a name that is none', { make: { odd: crate({}, { name: 'Not A Name' }) } }, /it has an invalid name "Not A Name"/],
    [
      'wants a kind that nobody serves',
      { make: { odd: { apiVersion: 'nowhere.example.org/v1', kind: 'Nothing', metadata: {} } } },
      /nothing serves Nothing.nowhere.example.org in version v1/,
    ],
    ['wants what has no kind', { make: { odd: { metadata: { name: 'odd' } } as KubeObject } }, /it has no apiVersion and no kind: a step/],
    ['wants what has no version', { make: { odd: { kind: 'Crate', metadata: {} } as KubeObject } }, /it has no apiVersion: a step/],
  ])('%s: its composite says so, and others are unharmed', async (_name, input, words) => {
    await expectFault(input, words)
  })

  test('wants what belongs to another composite: it is left to that', async () => {
    await world.create(pipelineOf('first', 'Kiosk', { make: { it: crate({ owner: 'first' }, { name: 'taken' }) } }))
    await world.create(xr('Kiosk', 'first', { crossplane: { compositionRef: { name: 'first' } } }))
    const owner = await world.until(KIOSK, 'first', isTrue('Ready'))
    await expectFault(
      { make: { it: crate({ owner: 'second' }, { name: 'taken' }) } },
      /^Unsynced resources: it: Crate\.nop\.example\.org "taken" belongs to Kiosk first, which controls it$/,
    )
    const taken = await world.client.get(CRATE, { name: 'taken' })
    expect(taken.metadata.ownerReferences).toMatchObject([{ uid: owner.metadata.uid, controller: true }])
    expect(taken['spec']).toMatchObject({ owner: 'first' })
    expect(refsOf(await world.client.get(KIOSK, { name: 'first' }))).toHaveLength(1)
  })
})

describe('a program that misbehaves', () => {
  let server: Http2Server
  let runners: FunctionRunners
  afterEach(() => {
    runners.close()
    server.close()
  })

  const answering =
    (hex: string) =>
    (stream: ServerHttp2Stream): void => {
      const bytes = Buffer.from(hex, 'hex')
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, bytes.length]), bytes]))
    }

  test.each<[string, (stream: ServerHttp2Stream) => void, RegExp]>([
    ['hangs', () => undefined, /step "make": function program at localhost:\d+ did not answer in time/],
    ['dies', (stream) => stream.session?.destroy(), /step "make": function program/],
    ['answers rubbish', answering('ffffff'), /step "make": function program at localhost:\d+ returned an answer that cannot be read/],
    // desired.composite.resource.fields.x, a number.
    [
      'answers NaN',
      answering('12140a120a100a0e0a0178120911000000000000f87f'),
      /step "make": function program did not return a RunFunct.*NaN/,
    ],
  ])('%s: its composite says so, and others are unharmed', async (_, onCall, words) => {
    server = createServer().on('stream', onCall)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const target = parseFunctionAddress(`localhost:${(server.address() as AddressInfo).port}`)
    if (target === undefined) throw new Error('no address')
    runners = new FunctionRunners({ find: async () => ({ type: 'address', target }) }, { timeoutMs: 1000 })
    misfit.program = runners
    await expectFault({}, words, 'program')
  })
})

test('K51: composites whose function hangs, fifty of them, hold up no other of their kind', async () => {
  let hanging = 0
  misfit.program = {
    run: (_name, _request, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        hanging++
        signal?.addEventListener('abort', () => reject(new Error('given up')))
      }),
  }
  const { spec, ...rest } = pipelineOf('hanging', 'Stall', {}) as KubeObject & { spec: { pipeline: readonly object[] } }
  const pipeline = spec.pipeline.map((step) => ({ ...step, functionRef: { name: 'program' } }))
  await world.create({ ...rest, spec: { ...spec, pipeline } } as KubeObject)
  await world.create(pipelineOf('sound', 'Stall', { make: { one: crate() } }))
  const by = (name: string) => ({ crossplane: { compositionRef: { name } } })
  await world.create(...Array.from({ length: 50 }, (_, i) => xr('Stall', `hanging-${i}`, by('hanging'))))
  await eventually(() => expect(hanging).toBe(50))
  await world.create(xr('Stall', 'sound', by('sound')))
  await world.until(STALL, 'sound', isTrue('Ready'))
  // None of them was given up for it.
  expect(hanging).toBe(50)
})

test('K38, K82, K148: EnvironmentConfigs are shown to functions that ask for them, before the first call or after it', async () => {
  const config = (name: string, data: object): KubeObject => ({
    apiVersion: 'apiextensions.crossplane.io/v1beta1',
    kind: 'EnvironmentConfig',
    metadata: { name, labels: { zone: name } },
    data,
  })
  await world.create(config('early', { rain: 3, wind: { max: 2.5 } }), config('later', { rain: 4 }))
  const pipeline = pipelineOf('plan', 'Stall', { fault: 'asks', make: { one: crate() } })
  const { pipeline: steps, ...spec } = pipeline['spec'] as { pipeline: object[] }
  const requiredResources = [
    {
      requirementName: 'env',
      apiVersion: 'apiextensions.crossplane.io/v1beta1',
      kind: 'EnvironmentConfig',
      matchLabels: { zone: 'early' },
    },
  ]
  await world.create({
    ...pipeline,
    spec: { ...spec, pipeline: steps.map((step) => ({ ...step, requirements: { requiredResources } })) },
  } as KubeObject)
  await world.create(xr('Stall', 'one'))
  await world.until(STALL, 'one', isTrue('Ready'))
  const shown = (name: string) => misfit.shown?.requiredResources?.[name]?.items?.map(({ resource }) => resource?.['data'])
  expect(shown('env')).toEqual([{ rain: 3, wind: { max: 2.5 } }])
  expect(shown('late')).toEqual([{ rain: 4 }])
})
