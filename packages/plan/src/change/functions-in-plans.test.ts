import type { KubeObject } from '@weft/api'
import { FunctionError, type FunctionRunner } from '@weft/functions'
import { describe, expect, test } from 'vitest'
import { functionsInPlans, type PlanFunctionsOptions } from './functions-in-plans.ts'

const configMap = (name: string, labels: Record<string, string> = {}, namespace = 'shop'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels, uid: `uid-${name}` },
})

const world = (more: readonly KubeObject[] | undefined, denied?: string): PlanFunctionsOptions['world'] => ({
  kinds: [],
  more: async () => more,
  mayNotList: () => denied,
})
const inPlans = (options: Partial<PlanFunctionsOptions> = {}) =>
  functionsInPlans({ world: world([]), programs: 'any', addressOf: async () => 'localhost:1', ...options })

describe('what functions are shown in a plan', () => {
  const asked = { apiVersion: 'v1', kind: 'ConfigMap' }
  test('what the copy lacks is read, each once, as it was asked for', async () => {
    const { disclosure } = inPlans({ world: world([configMap('a'), configMap('b', { tier: 'gold' }), configMap('c', {}, 'other')]) })
    const shown = async (selector: object, found: readonly KubeObject[] = []): Promise<readonly string[]> =>
      ((await disclosure?.complete({ ...asked, ...selector }, found)) ?? []).map(({ metadata }) => metadata.name ?? '')
    expect(await shown({}, [configMap('a')])).toEqual(['a', 'b', 'c'])
    expect(await shown({ namespace: 'shop' })).toEqual(['a', 'b'])
    expect(await shown({ matchName: 'c' })).toEqual(['c'])
    expect(await shown({ matchLabels: { labels: { tier: 'gold' } } })).toEqual(['b'])
  })

  test('what may not be listed is not taken for absent', async () => {
    const { disclosure } = inPlans({ world: world(undefined) })
    await expect(disclosure?.complete(asked, [])).rejects.toThrow(/asks to see ConfigMap, which you may not list/)
  })

  test('secrets never', async () => {
    const { disclosure } = inPlans()
    await expect(disclosure?.complete({ apiVersion: 'v1', kind: 'Secret' }, [])).rejects.toThrow(/never look into secrets/)
    await expect(disclosure?.secret({ namespace: 'shop', name: 'key' })).rejects.toThrow(/Secret shop\/key/)
  })
})

describe('who is asked in a plan', () => {
  const failing = (code: 'Unavailable' | 'Failed'): { runner: FunctionRunner; calls: () => number } => {
    let calls = 0
    const runner: FunctionRunner = {
      run: async () => {
        calls++
        throw new FunctionError(code, 'function f is not there')
      },
    }
    return { runner, calls: () => calls }
  }

  test.each([
    ['Unavailable', 1],
    ['Failed', 2],
  ] as const)('%s: asked %i times of two', async (code, expected) => {
    const { runner, calls } = failing(code)
    const asking = inPlans().functions?.(runner)
    for (let i = 0; i < 2; i++)
      await expect(asking?.run('f', {})).rejects.toThrow('function f is not there (this plan does not know what it makes)')
    expect(calls()).toBe(expected)
  })

  test('nobody where Functions may not be seen: which package one is of is not known', async () => {
    const { runner, calls } = failing('Failed')
    const asking = inPlans({ world: world([], 'you may not list functions.pkg.crossplane.io') }).functions?.(runner)
    await expect(asking?.run('f', {})).rejects.toThrow(/you may not list functions/)
    expect(calls()).toBe(0)
  })
})
