import type { KubeObject } from '@weft/api'
import { FUNCTION_ADDRESS, type PackageObject } from '@weft/controllers'
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
const fn = (spec: string, annotations: Record<string, string> = {}): PackageObject =>
  ({
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: { name: 'f', annotations },
    spec: { package: spec },
  }) as PackageObject
const PROGRAM = 'example.org/x/function-any:v1'
const LISTENING = fn(PROGRAM, { [FUNCTION_ADDRESS]: 'localhost:1' })
const nobody: FunctionRunner = { run: () => Promise.reject(new Error('not to be asked')) }
const inPlans = (options: Partial<PlanFunctionsOptions> = {}) =>
  functionsInPlans({ world: world([]), programs: 'any', find: async () => LISTENING, controlPlane: nobody, ...options })

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
    await expect(disclosure?.complete(asked, [])).rejects.toThrow(/requests ConfigMap, which you may not list/)
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
      await expect(asking?.run('f', {})).rejects.toThrow('function f is not there (this plan does not know what it would create)')
    expect(calls()).toBe(expected)
  })

  test('nobody where Functions may not be seen: which package one is of is not known', async () => {
    const { runner, calls } = failing('Failed')
    const asking = inPlans({ world: world([], 'you may not list functions.pkg.crossplane.io') }).functions?.(runner)
    await expect(asking?.run('f', {})).rejects.toThrow(/you may not list functions/)
    expect(calls()).toBe(0)
  })

  const said = (who: string): FunctionRunner => ({ run: async () => ({ results: [{ message: who }] }) })
  const installedIn = (object: KubeObject): PlanFunctionsOptions['world'] => ({
    ...world([]),
    kinds: [{ kind: { group: 'pkg.crossplane.io', kind: 'Function' }, objects: [object] }] as never,
  })
  const asked = async (options: Partial<PlanFunctionsOptions>): Promise<string> => {
    const asking = inPlans({ controlPlane: said('control plane'), ...options }).functions?.(said('here'))
    return asking?.run('f', {}).then(
      ({ results }) => results?.[0]?.message ?? '',
      (error: unknown) => String(error),
    ) as Promise<string>
  }
  const here = fn('example.org/x/function-auto-ready:v1')

  test.each<[string, PackageObject, PackageObject | undefined, 'none' | 'any', RegExp]>([
    ['what is built in answers here', here, here, 'none', /^here$/],
    ['also where it comes with the change', here, undefined, 'none', /^here$/],
    ['a program or a module is asked by the control plane', fn(PROGRAM), fn(PROGRAM), 'any', /^control plane$/],
    ['not where the change makes it another', fn(PROGRAM), fn('example.org/x/function-any:v2'), 'any', /is changed as well/],
    ['one that is not installed yet', fn(PROGRAM), undefined, 'any', /is changed as well/],
    ['what listens on this machine is asked from here', LISTENING, undefined, 'any', /^here$/],
    ['and by the control plane from any other', LISTENING, LISTENING, 'none', /^control plane$/],
    ['never at an address that a change brings', LISTENING, fn(PROGRAM), 'none', /is changed as well/],
  ])('%s', async (_, wanted, installed, programs, expected) => {
    expect(await asked({ find: async () => wanted, programs, ...(installed !== undefined && { world: installedIn(installed) }) })).toMatch(
      expected,
    )
  })

  test('one under development that nobody has installed is known to the control plane alone', async () => {
    expect(await asked({ find: async () => undefined })).toBe('control plane')
  })
})
