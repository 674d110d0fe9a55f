import type { KubeObject } from '@weft/api'
import { builtInFunction, type FunctionRunner } from '@weft/functions'
import { recordedCases, recording } from '@weft/testing'
import { describe, expect, test } from 'vitest'
import type { CompositeResourceDefinition } from '../xrd/xrd.ts'
import { renderXr, XrRenderError } from './render.ts'

/** One reconcile of the real Crossplane: see the recording's own page. */
interface Case {
  readonly name: string
  readonly tags: readonly string[]
  readonly input: {
    readonly xr: KubeObject
    readonly composition: KubeObject
    readonly xrd?: CompositeResourceDefinition
    readonly functions: Readonly<Record<string, string>>
    readonly observed?: readonly KubeObject[]
    readonly required?: readonly KubeObject[]
    readonly credentials?: readonly KubeObject[]
  }
  readonly output: {
    readonly exitCode: number
    readonly error?: string
    readonly xr?: object
    readonly composed?: readonly KubeObject[]
    readonly deleted?: readonly object[]
    readonly events?: readonly object[]
    readonly requiredResources?: readonly object[]
  }
}

/** The programs that ran under these names; all of them are built in. */
const runnerFor = (functions: Case['input']['functions']): FunctionRunner => ({
  async run(name, request) {
    const program = builtInFunction(functions[name] ?? '')
    if (program === undefined) throw new Error(`${functions[name] ?? name} is not built in`)
    return program(request)
  },
})

/** As the recording has them. */
const byResourceName = (objects: readonly KubeObject[]): readonly KubeObject[] => {
  const key = ({ metadata }: KubeObject): string => metadata.annotations?.['crossplane.io/composition-resource-name'] ?? ''
  return [...objects].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

const cases = recordedCases<Case>('render.jsonl')

describe.skipIf(recording('render.jsonl') === undefined)('composites as the real Crossplane composed them', () => {
  test.each(cases.map((each) => [each.name, each.tags.join(' '), each] as const))('%s (%s)', async (_name, _tags, { input, output }) => {
    const nowMs = Date.parse('2027-03-04T05:06:07Z')
    const rendering = await renderXr({ ...input, runner: runnerFor(input.functions), nowMs }).catch((error: unknown) => error)
    if (output.exitCode === 1) {
      expect(rendering).toBeInstanceOf(XrRenderError)
      expect(`cannot render composite resource: ${(rendering as Error).message}`).toBe(output.error)
      return
    }
    if (rendering instanceof Error) throw rendering
    const { xr, composed, deleted, events, requiredResources, fatal } = rendering as Awaited<ReturnType<typeof renderXr>>
    const shown = {
      exitCode: fatal === undefined ? 0 : 3,
      ...(fatal !== undefined && { error: `cannot render composite resource: ${fatal}` }),
      xr,
      composed: byResourceName(composed),
      deleted: byResourceName(deleted),
      events: events.map(({ type, reason, message }) => ({ type, reason, message })),
      ...(requiredResources.length > 0 && { requiredResources }),
    }
    expect(JSON.parse(JSON.stringify(shown).replaceAll('2027-03-04T05:06:07Z', '<now>'))).toEqual(output)
  })
})
