import { describe, expect, test } from 'vitest'
import { weftKinds } from './index.ts'

describe('the kinds of Weft', () => {
  test('X7: claims are namespaced, and what protects objects of a namespace; everything else is cluster scoped', () => {
    const namespaced = weftKinds.filter(({ spec }) => spec.scope === 'Namespaced').map(({ spec }) => spec.names.kind)
    expect(namespaced).toEqual(['MySQLInstance', 'PostgreSQLInstance', 'RedisCluster', 'KubernetesCluster', 'Bucket', 'Usage'])
  })

  test('names are <plural>.<group>, unique, and every kind is stored in its first version', () => {
    const names = weftKinds.map(({ metadata }) => metadata.name)
    expect(new Set(names).size).toBe(names.length)
    for (const { metadata, spec } of weftKinds) expect(metadata.name).toBe(`${spec.names.plural}.${spec.group}`)
  })
})
