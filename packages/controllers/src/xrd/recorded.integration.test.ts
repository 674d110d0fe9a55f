import { isJsonObject, type KubeObject, StatusError } from '@weft/api'
import { customResourceDefinitionKind, eventKind } from '@weft/client'
import { recordedCases, recording } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definitionController } from '../definition/controller.ts'
import { startWorld, type World } from '../definition/world.fixture.ts'
import { type DefinedControllers, definedAdapter, offeredAdapter } from './definition.ts'
import { claimCrdName, type CompositeResourceDefinition, compositeResourceDefinitionKind } from './xrd.ts'

/** What a real Crossplane answered to definitions: see the recording's own page. */
interface Case {
  readonly name: string
  readonly tags: readonly string[]
  readonly xrd: CompositeResourceDefinition
  readonly error?: { readonly code: number; readonly message: string }
  readonly stored?: { readonly spec: object; readonly finalizers: readonly string[]; readonly status: object }
  readonly crds?: { readonly xr: RecordedCrd | null; readonly claim?: RecordedCrd | null }
  readonly events?: readonly { readonly type: string; readonly reason: string; readonly message: string }[]
}
interface RecordedCrd {
  readonly metadata: object
  readonly spec: object
}

const cases = recordedCases<Case>('xrd-crd.jsonl')
const NO_CONTROLLERS: DefinedControllers = { start: async () => undefined, stop: async () => undefined }

let world: World
beforeAll(async () => {
  world = await startWorld({
    provider: false,
    start: async (services) => {
      await services.engine.start(definitionController(definedAdapter(NO_CONTROLLERS), services))
      await services.engine.start(definitionController(offeredAdapter(NO_CONTROLLERS), services))
    },
  })
})
afterAll(() => world.stop())

describe.skipIf(recording('xrd-crd.jsonl') === undefined)('definitions as a real Crossplane answered them', () => {
  test.each(cases.map((each) => [each.name, each.tags.join(' '), each] as const))('%s (%s)', async (_name, _tags, recorded) => {
    const created = await world.client.create(recorded.xrd).catch((error: unknown) => error)
    if (recorded.error !== undefined) {
      expect(created).toBeInstanceOf(StatusError)
      expect(created).toMatchObject({ code: recorded.error.code, message: recorded.error.message })
      return
    }
    if (created instanceof Error) throw created
    const { stored, crds } = recorded
    const expected = { spec: stored?.spec, finalizers: [...(stored?.finalizers ?? [])].sort(), status: comparable(stored?.status ?? {}) }
    const { metadata } = recorded.xrd
    await expect
      .poll(async () => {
        const now = await world.client.get(compositeResourceDefinitionKind, { name: metadata.name ?? '' })
        return { spec: now.spec, finalizers: [...(now.metadata.finalizers ?? [])].sort(), status: comparable(now['status'] ?? {}) }
      })
      .toEqual(expected)
    const uid = (created as KubeObject).metadata.uid ?? ''
    expect(await crdOf(metadata.name ?? '', uid)).toEqual(crds?.xr === null ? undefined : crds?.xr && pick(crds.xr))
    if (crds !== undefined && 'claim' in crds)
      expect(await crdOf(claimCrdName(recorded.xrd), uid)).toEqual(crds.claim == null ? undefined : pick(crds.claim))
    await expect.poll(async () => eventsOf(metadata.name ?? '')).toEqual(expect.arrayContaining(told(recorded)))
  })
})

/** Waiting is told only where it is waited for: here a kind may be served at once. */
const told = ({ events = [] }: Case): string[] =>
  events.filter(({ message }) => !message.startsWith('waiting for')).map(({ type, reason, message }) => line(type, reason, message))

/** A dump of Go structs inside a message is not compared: its fields come in an order of their own. */
const line = (type: string, reason: string, message: string): string => `${type} ${reason} ${message.replace(/\[\{.*\}\]/, '[…]')}`

async function eventsOf(name: string): Promise<readonly string[]> {
  const { items } = await world.client.list(eventKind)
  return items
    .filter(({ involvedObject }) => involvedObject?.name === name)
    .map(({ type, reason, message }) => line(String(type), String(reason), String(message)))
}

async function crdOf(name: string, uid: string): Promise<object | undefined> {
  const found = await world.client.find(customResourceDefinitionKind, { name })
  if (found === undefined) return undefined
  return JSON.parse(
    JSON.stringify(pick({ metadata: found.metadata, spec: found.spec })).replaceAll(uid, '<uid of the definition>'),
  ) as object
}

function pick({ metadata, spec }: { readonly metadata: object; readonly spec: object }): object {
  const { name, labels, annotations, ownerReferences } = metadata as KubeObject['metadata']
  return { metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }), ownerReferences }, spec }
}

/** Times aside; conditions in the order of their names: two controllers write them. */
function comparable(status: unknown): object {
  const { conditions = [], ...rest } = (isJsonObject(status) ? status : {}) as { conditions?: readonly { type: string }[] }
  const told = conditions.map((each) => ({ ...each, lastTransitionTime: undefined })).sort((a, b) => a.type.localeCompare(b.type))
  return { ...rest, conditions: JSON.parse(JSON.stringify(told)) as object }
}
