import { weftKinds } from '@weft/api'
import { describe, expect, it } from 'vitest'
import * as typed from './weft-kinds.ts'

const kinds = Object.values(typed)

describe('typed kinds of Weft', () => {
  it('are the claims, classes and groups that Weft defines', () => {
    const defined = weftKinds.filter(({ spec }) =>
      spec.names.categories?.some((category) => ['claim', 'class', 'group'].includes(category)),
    )
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(defined.map(({ spec }) => spec.names.kind).toSorted())
  })

  it.each(kinds)('$kind is what its definition says', ({ group, version, kind, plural, namespaced }) => {
    const definition = weftKinds.find(({ metadata }) => metadata.name === `${plural}.${group}`)
    expect(definition?.spec).toMatchObject({ names: { kind }, scope: namespaced ? 'Namespaced' : 'Cluster' })
    expect(definition?.spec.versions).toContainEqual(expect.objectContaining({ name: version, served: true, storage: true }))
  })
})
