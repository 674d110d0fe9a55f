import type { KubeObject } from '@weft/api'
import { type ConfigMap, configMapKind, eventKind } from '@weft/client'
import { conditionOf } from '@weft/composition'
import { FunctionError, type FunctionRunner, type Resource, type RunFunctionResponse, type Struct } from '@weft/functions'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isFalse, isFalseFor, isTrue, says, startWorld, type World } from '../definition/world.fixture.ts'
import { startOperationControllers } from '../start-operation-controllers.ts'
import { CRON_LABEL, cronOperationKind, type Operation, operationKind, WATCH_LABEL, watchOperationKind } from './kinds.ts'

/** Writes a note, as often as it is asked; fails as often as its input says. */
class Writer implements FunctionRunner {
  readonly requests: Parameters<FunctionRunner['run']>[1][] = []
  /** Given first, instead. */
  readonly replies: (RunFunctionResponse | Promise<RunFunctionResponse>)[] = []

  async run(...[name, request]: Parameters<FunctionRunner['run']>): Promise<RunFunctionResponse> {
    this.requests.push(request)
    const reply = await this.replies.shift()
    if (reply !== undefined) return reply
    const { fail = 0, fatal, note: given } = (request.input ?? {}) as { fail?: number; fatal?: string; note?: string }
    if (this.requests.length <= fail) throw new FunctionError('Unavailable', `function ${name} went away`)
    return {
      ...(fatal !== undefined && { results: [{ severity: 'SEVERITY_FATAL', message: fatal }] }),
      output: { said: 'done' },
      desired: {
        resources: given === undefined ? {} : { note: note(given) },
      },
    }
  }
}

const note = (name: string): Resource => ({
  resource: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { a: 'b' } } as Struct,
})

let world: World
let writer: Writer
beforeEach(async () => {
  writer = new Writer()
  world = await startWorld({
    start: async (services) => {
      return await startOperationControllers(services, { functions: writer })
    },
  })
})
afterEach(() => world.stop())

const specOf = (input: object, more: object = {}): object => ({
  mode: 'Pipeline',
  pipeline: [{ step: 'write', functionRef: { name: 'writer' }, input: { apiVersion: 'test.example.org/v1', kind: 'Input', ...input } }],
  ...more,
})
const operation = (name: string, input: object, more: object = {}): KubeObject => ({
  apiVersion: 'ops.crossplane.io/v1alpha1',
  kind: 'Operation',
  metadata: { name },
  spec: specOf(input, more),
})
const cron = (name: string, spec: object): KubeObject => ({
  apiVersion: 'ops.crossplane.io/v1alpha1',
  kind: 'CronOperation',
  metadata: { name },
  spec: { operationTemplate: { metadata: { labels: { of: 'template' } }, spec: specOf({}) }, ...spec },
})

describe('an Operation', () => {
  test('K151: asks its functions without anything observed, applies what they want, and is never run again', async () => {
    await world.create(operation('once', { note: 'noted' }))
    const done: Operation = await world.until(operationKind, 'once', isTrue('Succeeded'))
    expect(done.status).toMatchObject({
      pipeline: [{ step: 'write', output: { said: 'done' } }],
      appliedResourceRefs: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'noted', namespace: 'default' }],
    })
    for (const type of ['Synced', 'ValidPipeline']) expect(isTrue(type)(done)).toBe(true)
    const note: ConfigMap = await world.client.get(configMapKind, { name: 'noted', namespace: 'default' })
    expect(note.data).toEqual({ a: 'b' })
    expect(note.metadata.ownerReferences).toBeUndefined()
    expect(note.metadata.managedFields?.map(({ manager }) => manager)).toEqual([`ops.crossplane.io/operation/${done.metadata.uid ?? ''}`])
    expect(writer.requests).toHaveLength(1)
    expect(writer.requests[0]).not.toHaveProperty('observed')
    // Neither for an edit, nor for the loss of what it wrote.
    await world.client.delete(configMapKind, { name: 'noted', namespace: 'default' })
    await world.client.patch(operationKind, { name: 'once' }, { type: 'merge', body: { spec: { retryLimit: 9 } } })
    await world.create(operation('other', {}))
    await world.until(operationKind, 'other', isTrue('Succeeded'))
    expect(writer.requests).toHaveLength(2)
  })

  test('K151: tries again after a failure', async () => {
    await world.create(operation('flaky', { fail: 1 }))
    const done: Operation = await world.until(operationKind, 'flaky', isTrue('Succeeded'))
    expect(done.status?.failures).toBe(1)
  })

  test('K151: is given up at its limit, and says why it failed', async () => {
    await world.create(operation('hopeless', { fatal: 'thunder' }, { retryLimit: 2 }))
    const failing = await world.until(operationKind, 'hopeless', says('Synced', 'thunder'))
    expect(conditionOf(failing, 'Synced')?.message).toBe('pipeline step "write" returned a fatal result: thunder')
    const failed: Operation = await world.until(operationKind, 'hopeless', isFalse('Succeeded'))
    expect(conditionOf(failed, 'Succeeded')).toMatchObject({
      reason: 'PipelineError',
      message: 'failure limit of 2 reached',
    })
    expect(failed.status?.failures).toBe(2)
    expect(writer.requests).toHaveLength(2)
  })

  test('K151: says what it applied, what was answered and told, though it failed afterwards', async () => {
    const unserved: Resource = { resource: { apiVersion: 'v1', kind: 'Nothing', metadata: { name: 'b' } } as Struct }
    let answer: (response: RunFunctionResponse) => void = () => undefined
    const second = new Promise<RunFunctionResponse>((resolve) => (answer = resolve))
    writer.replies.push({ output: { said: 'first' }, desired: { resources: { a: note('applied'), b: unserved } } }, second)
    await world.create(operation('partly', {}))
    const failing: Operation = await world.until(operationKind, 'partly', says('Synced', 'cannot apply desired resource "b"'))
    const applied = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'default' })
    expect(failing.status).toMatchObject({
      pipeline: [{ step: 'write', output: { said: 'first' } }],
      appliedResourceRefs: [applied('applied')],
    })
    answer({ output: { said: 'second' }, desired: { resources: { a: note('other') } } })
    const done: Operation = await world.until(operationKind, 'partly', isTrue('Succeeded'))
    expect(done.status).toMatchObject({
      failures: 1,
      pipeline: [{ step: 'write', output: { said: 'second' } }],
      appliedResourceRefs: [applied('applied'), applied('other')],
    })
  })

  test('K151: what functions told before a fatal result is told', async () => {
    const results = [
      { severity: 'SEVERITY_WARNING', message: 'clouds' } as const,
      { severity: 'SEVERITY_FATAL', message: 'thunder' } as const,
    ]
    writer.replies.push({ results, output: { said: 'nothing' } })
    await world.create(operation('stormy', {}, { retryLimit: 1 }))
    const failed: Operation = await world.until(operationKind, 'stormy', isFalse('Succeeded'))
    expect(failed.status).not.toHaveProperty('pipeline')
    await expect
      .poll(async () => (await world.client.list(eventKind)).items.map(({ message }) => message))
      .toContain('Pipeline step "write": clouds')
  })

  test('K151, K177: refuses functions that are for Compositions', async () => {
    await world.create({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: 'Function',
      metadata: { name: 'writer' },
      spec: { package: 'xpkg.example.org/x/function-auto-ready:v0.1.0' },
    } as KubeObject)
    // Told by a watch: until then the function is one that nobody knows.
    await eventually(async () => {
      const made = await world.client.create<KubeObject>({ ...operation('', {}, { retryLimit: 1 }), metadata: { generateName: 'unfit-' } })
      const over: Operation = await world.until(
        operationKind,
        made.metadata.name ?? '',
        (each) => isFalse('Succeeded')(each) || isTrue('Succeeded')(each),
      )
      expect(conditionOf(over, 'ValidPipeline')).toMatchObject({ status: 'False', reason: 'MissingCapabilities' })
    })
  })
})

describe('a CronOperation', () => {
  test('K152: makes operations by the clock, keeps few, and makes none twice', async () => {
    await world.create(cron('often', { schedule: '@every 1s', successfulHistoryLimit: 2 }))
    await eventually(() => expect(writer.requests.length).toBeGreaterThanOrEqual(4))
    const { items } = await world.client.list(operationKind, { labels: { matchLabels: { [CRON_LABEL]: 'often' } } })
    for (const each of items) {
      expect(each.metadata.name).toMatch(/^often-\d{10}$/)
      expect(each.metadata.labels).toEqual({ of: 'template', [CRON_LABEL]: 'often' })
      expect(each.metadata.ownerReferences).toMatchObject([{ kind: 'CronOperation', name: 'often', controller: true }])
    }
    const told = await world.until(cronOperationKind, 'often', ({ status }) => status?.lastSuccessfulTime !== undefined)
    expect(conditionOf(told, 'Scheduling')).toMatchObject({ status: 'True', reason: 'ScheduleActive' })
    await eventually(async () =>
      expect((await world.client.list(operationKind)).items.filter((each) => isTrue('Succeeded')(each)).length).toBeLessThanOrEqual(2),
    )
  })

  test('K152: says what is wrong with its schedule, and what pauses it', async () => {
    await world.create(cron('odd', { schedule: 'every now and then' }))
    const odd = await world.until(cronOperationKind, 'odd', isFalseFor('Scheduling', 'ScheduleInvalid'))
    expect(conditionOf(odd, 'Scheduling')).toMatchObject({
      reason: 'ScheduleInvalid',
      message: 'cannot parse cron schedule "every now and then": expected exactly 5 fields, found 4: every now and then',
    })
    await world.create({
      ...cron('paused', { schedule: '@every 1s' }),
      metadata: { name: 'paused', annotations: { 'crossplane.io/paused': 'true' } },
    })
    await world.until(cronOperationKind, 'paused', isFalseFor('Scheduling', 'SchedulePaused'))
    expect((await world.client.list(operationKind)).items).toEqual([])
  })

  test('K152: goes on after it has missed what is too late by now', async () => {
    const late = { ...cron('late', { schedule: '@every 2s', startingDeadlineSeconds: 60 }) }
    const annotations = { 'crossplane.io/paused': 'true' }
    await world.create({ ...late, metadata: { name: 'late', annotations } })
    const paused = await world.until(cronOperationKind, 'late', isFalseFor('Scheduling', 'SchedulePaused'))
    await world.client.updateStatus({ ...paused, status: { ...paused.status, lastScheduleTime: '2026-01-01T00:00:00Z' } })
    await world.client.patch(cronOperationKind, { name: 'late' }, { type: 'merge', body: { metadata: { annotations: null } } })
    await world.until(cronOperationKind, 'late', ({ status }) => status?.lastSuccessfulTime !== undefined)
  })

  test('K152: Forbid waits for the one that runs', async () => {
    // It never gets through.
    const template = { spec: specOf({ fail: 1_000_000 }, { retryLimit: 1_000_000 }) }
    await world.create(cron('patient', { schedule: '@every 1s', concurrencyPolicy: 'Forbid', operationTemplate: template }))
    await eventually(() => expect(writer.requests.length).toBeGreaterThanOrEqual(3))
    expect((await world.client.list(operationKind)).items).toHaveLength(1)
    const told = await world.until(
      cronOperationKind,
      'patient',
      ({ status }) => (status as { runningOperationRefs?: readonly object[] }).runningOperationRefs?.length === 1,
    )
    expect(told.metadata.name).toBe('patient')
  })
})

describe('a WatchOperation', () => {
  const watching = (name: string, watch: object, spec: object = {}): KubeObject => ({
    apiVersion: 'ops.crossplane.io/v1alpha1',
    kind: 'WatchOperation',
    metadata: { name },
    spec: { watch, operationTemplate: { metadata: { labels: { of: 'template' } }, spec: specOf({}) }, ...spec },
  })
  const configMap = (name: string, labels: Record<string, string>, data: Record<string, string> = {}): ConfigMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', labels },
    data,
  })
  const madeBy = async (name: string): Promise<readonly Operation[]> =>
    (await world.client.list(operationKind, { labels: { matchLabels: { [WATCH_LABEL]: name } } })).items
  const watched = 'ops.crossplane.io/watched-resource'

  test('K153: makes one Operation for each version of what it watches, shows it to the functions, and one when it is gone', async () => {
    await world.create(
      watching('maps', { apiVersion: 'v1', kind: 'ConfigMap', matchLabels: { watch: 'me' } }, { successfulHistoryLimit: 10 }),
    )
    const active = await world.until(watchOperationKind, 'maps', isTrue('Watching'))
    expect(conditionOf(active, 'Watching')).toMatchObject({ status: 'True', reason: 'WatchActive' })
    expect(active.metadata.finalizers).toContain('watchoperation.ops.crossplane.io')
    await world.create(configMap('other', {}))
    const first = await world.client.create(configMap('seen', { watch: 'me' }))
    await eventually(async () => expect(await madeBy('maps')).toHaveLength(1))
    const [made] = await madeBy('maps')
    expect(made?.metadata.name).toMatch(/^maps-[0-9a-f]{7}$/)
    expect(made?.metadata.labels).toEqual({ of: 'template', [WATCH_LABEL]: 'maps' })
    expect(made?.metadata.annotations).toEqual({
      [`${watched}-apiversion`]: 'v1',
      [`${watched}-kind`]: 'ConfigMap',
      [`${watched}-name`]: 'seen',
      [`${watched}-namespace`]: 'default',
      [`${watched}-resourceversion`]: first.metadata.resourceVersion,
    })
    expect(made?.metadata.ownerReferences).toMatchObject([{ kind: 'WatchOperation', name: 'maps', controller: true }])
    await eventually(() =>
      expect(writer.requests.at(-1)?.requiredResources?.[watched]?.items?.[0]?.resource).toMatchObject({ metadata: { name: 'seen' } }),
    )
    await world.client.patch(configMapKind, { name: 'seen', namespace: 'default' }, { type: 'merge', body: { data: { a: 'b' } } })
    await eventually(async () => expect(await madeBy('maps')).toHaveLength(2))
    await world.client.delete(configMapKind, { name: 'seen', namespace: 'default' })
    await eventually(async () =>
      expect((await madeBy('maps')).map(({ metadata }) => metadata.annotations?.[`${watched}-resourceversion`])).toContain(
        'ops.crossplane.io/synthetic-deleted',
      ),
    )
    expect(await madeBy('maps')).toHaveLength(3)
    await world.client.delete(watchOperationKind, { name: 'maps' })
    await eventually(async () => expect(await world.client.find(watchOperationKind, { name: 'maps' })).toBeUndefined())
  })

  test('K153: says what it cannot watch, and makes nothing while it is paused', async () => {
    await world.create(watching('nothing', { apiVersion: 'nowhere.example.org/v1', kind: 'Nothing' }))
    const failed = await world.until(watchOperationKind, 'nothing', isFalseFor('Watching', 'WatchFailed'))
    expect(conditionOf(failed, 'Watching')).toMatchObject({
      reason: 'WatchFailed',
      message: 'cannot watch Nothing.nowhere.example.org: nothing serves it in version v1; install what defines it',
    })
    await world.create(watching('itself', { apiVersion: 'ops.crossplane.io/v1alpha1', kind: 'Operation' }))
    await world.until(watchOperationKind, 'itself', says('Watching', /each would create another, endlessly/))
    const paused = watching('paused', { apiVersion: 'v1', kind: 'ConfigMap' })
    await world.create({ ...paused, metadata: { name: 'paused', annotations: { 'crossplane.io/paused': 'true' } } })
    await world.until(watchOperationKind, 'paused', isFalseFor('Watching', 'WatchPaused'))
    expect((await world.client.list(operationKind)).items).toEqual([])
  })
})
