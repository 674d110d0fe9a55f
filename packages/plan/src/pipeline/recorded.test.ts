import type { KubeObject } from '@weft/api'
import { compositeDefinition, recordedCases, recording } from '@weft/testing'
import { describe, expect, test } from 'vitest'
import { RenderError } from '../render/rendering.ts'
import { checkSelector, renderPipeline } from './render-pipeline.ts'

/** One reconcile of the real Crossplane; `functions` says which program ran under which name. */
interface Case {
  readonly name: string
  readonly input: {
    readonly xr: KubeObject
    readonly composition: KubeObject
    readonly xrd?: KubeObject
    readonly functions: Readonly<Record<string, string>>
    readonly observed?: readonly KubeObject[]
    readonly required?: readonly KubeObject[]
    readonly credentials?: readonly KubeObject[]
  }
  readonly output: Output
}

interface Output {
  readonly exitCode: number
  readonly error?: string
  readonly xr?: object
  readonly composed: readonly object[]
  readonly deleted: readonly object[]
  readonly events: readonly object[]
  readonly requiredResources?: readonly object[]
}

const FILE = 'render.jsonl'

describe('K117–K123 one reconcile from files', () => {
  test.skipIf(recording(FILE) === undefined)('shows what the recorded one did, for every recorded input', async () => {
    const cases = recordedCases<Case>(FILE)
    expect(cases.length).toBeGreaterThan(50)
    for (const { name, input, output } of cases) expect(await outputOf(input), name).toEqual(output)
  })
})

async function outputOf({ xr, composition, xrd, functions, ...rest }: Case['input']): Promise<Output> {
  const objects = [xr, composition, ...Object.entries(functions).map(([name, program]) => functionOf(name, `example.org/${program}:v1`))]
  try {
    const rendering = await renderPipeline({ objects, xrd, ...rest, timeoutMs: 20_000 })
    const { fatal, requiredResources, composed, deleted, events } = rendering
    return plain({
      exitCode: fatal === undefined ? 0 : 3,
      ...(fatal !== undefined && { error: `cannot render composite resource: ${fatal}` }),
      xr: rendering.xr,
      composed: composed.toSorted(byResourceName),
      deleted: deleted.toSorted(byResourceName),
      events: events.map(({ type, reason, message }) => ({ type, reason, message })),
      ...(requiredResources.length > 0 && { requiredResources }),
    })
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    return { exitCode: 1, error: error.message, composed: [], deleted: [], events: [] }
  }
}

const functionOf = (name: string, reference: string): KubeObject => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Function',
  metadata: { name },
  spec: { package: reference },
})

const resourceName = ({ metadata }: KubeObject): string => metadata.annotations?.['crossplane.io/composition-resource-name'] ?? ''
const byResourceName = (a: KubeObject, b: KubeObject): number => (resourceName(a) < resourceName(b) ? -1 : 1)

/** As JSON, and with the time of the rendering as the recording has it. */
const plain = (output: Output): Output => JSON.parse(JSON.stringify(output).replaceAll('2024-01-01T00:00:00Z', '<now>')) as Output

describe('files that cannot be rendered', () => {
  const xr: KubeObject = { apiVersion: 'example.org/v1', kind: 'XThing', metadata: { name: 'thing' } }
  const composition: KubeObject = {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: { name: 'plan' },
    spec: {
      compositeTypeRef: { apiVersion: 'example.org/v1', kind: 'XThing' },
      pipeline: [{ step: 's', functionRef: { name: 'f' }, input: { apiVersion: 'dummy.fn.crossplane.io/v1beta1', kind: 'Response' } }],
    },
  }
  const failing = (...objects: readonly KubeObject[]): Promise<unknown> =>
    renderPipeline({ objects, timeoutMs: 20_000 }).then(
      () => 'rendered',
      (error: unknown) => (error instanceof RenderError ? error.message : error),
    )

  test.each<[reason: string, objects: readonly KubeObject[], says: string]>([
    ['no composite', [composition], 'give the composite resource'],
    ['two composites', [xr, { ...xr, metadata: { name: 'other' } }, composition], 'XThing/thing, XThing/other'],
    ['no function', [xr, composition], 'there is no Function f'],
    [
      'a function that is not built in',
      [xr, composition, functionOf('f', 'example.org/mine')],
      'render.crossplane.io/runtime: Development',
    ],
    ['a composition without a pipeline', [xr, { ...composition, spec: { mode: 'Resources' } }], 'spec.mode: Pipeline'],
  ])('%s', async (_, objects, says) => {
    expect(await failing(...objects)).toContain(says)
  })

  test('K119 a Composition that the composite does not select', () => {
    const choosy = (tier: string): KubeObject => ({ ...xr, spec: { crossplane: { compositionSelector: { matchLabels: { tier } } } } })
    const labelled = { ...composition, metadata: { name: 'plan', labels: { tier: 'gold' } } }
    expect(() => checkSelector([choosy('gold'), labelled])).not.toThrow()
    expect(() => checkSelector([choosy('tin'), labelled])).toThrow(RenderError)
    expect(() => checkSelector([choosy('gold'), composition])).toThrow(RenderError)
    const notes: string[] = []
    checkSelector([{ ...xr, spec: { compositionSelector: { matchLabels: { tier: 'tin' } } } }, labelled], (text) => notes.push(text))
    expect(notes).toEqual([expect.stringContaining('tier=tin')])
  })

  test('a function under development is asked where its annotation says', async () => {
    const annotations = { 'render.crossplane.io/runtime': 'Development', 'render.crossplane.io/runtime-development-target': 'localhost:1' }
    const developed = { ...functionOf('f', 'example.org/function-dummy'), metadata: { name: 'f', annotations } }
    expect(await failing(xr, composition, developed)).toContain('cannot be reached at localhost:1')
  })

  test('the context that a pipeline begins with is there at its end', async () => {
    const rendering = await renderPipeline({
      objects: [xr, composition, functionOf('f', 'function-dummy')],
      context: { k: { a: 1 } },
      timeoutMs: 20_000,
    })
    expect(rendering.context).toEqual({ k: { a: 1 } })
  })

  test('the definition’s defaults are applied, and say where the machinery is', async () => {
    const size = { type: 'integer', default: 4 }
    const xrd = compositeDefinition({ api: 'v1', group: 'example.org', kind: 'XThing', spec: { size } })
    const spec = composition['spec'] as { pipeline: readonly object[] }
    const patching = {
      ...composition,
      spec: {
        ...spec,
        pipeline: [
          {
            ...spec.pipeline[0],
            input: {
              apiVersion: 'pt.fn.crossplane.io/v1beta1',
              kind: 'Resources',
              resources: [{ name: 'one', base: { apiVersion: 'example.org/v1', kind: 'Part' }, patches: [{ fromFieldPath: 'spec.size' }] }],
            },
          },
        ],
      },
    }
    const given = { ...xr, spec: {} }
    const rendering = await renderPipeline({
      objects: [given, patching, xrd, functionOf('f', 'function-patch-and-transform')],
      timeoutMs: 20_000,
    })
    expect(rendering.given).toMatchObject({ spec: { size: 4 } })
    expect(rendering.composed).toMatchObject([{ kind: 'Part', spec: { size: 4 } }])
    expect(rendering.xr).toMatchObject({ spec: { resourceRefs: [{ kind: 'Part' }] } })
  })
})
