import { weftKinds } from '@weft/api'
import type { CustomResourceDefinition } from '@weft/client'
import { describe, expect, it } from 'vitest'
import { releasedKinds, upgradeOf } from './install-kinds.ts'
import { RELEASE } from './releases.ts'

const [kind] = releasedKinds('0.10.0')
if (kind === undefined) throw new Error('there are no kinds')

const installed = (release: string | undefined, versions: readonly object[], stored: readonly string[]): CustomResourceDefinition => ({
  ...(kind as unknown as CustomResourceDefinition),
  metadata: { ...kind.metadata, annotations: release === undefined ? {} : { [RELEASE]: release } },
  spec: { ...(kind as unknown as CustomResourceDefinition).spec, versions: versions as never },
  status: { storedVersions: stored } as never,
})
const version = kind.spec.versions[0] as { name: string }
const alpha0 = { ...version, name: 'v1alpha0' }

describe('upgrading a kind', () => {
  it('nothing is there: it is installed, marked with the release', () => {
    expect(upgradeOf(undefined, kind)).toBe(kind)
    expect(releasedKinds()).toHaveLength(weftKinds.length)
  })

  it.each<[string, string | undefined, readonly object[], readonly string[], readonly string[] | undefined]>([
    ['the same is there: nothing to do', '0.10.0', kind.spec.versions, [version.name], undefined],
    ['a newer release installed it: left alone', '0.11.0', [alpha0], ['v1alpha0'], undefined],
    ['numbers count, not letters: 0.9.1 is older', '0.9.1', kind.spec.versions, [version.name], [version.name]],
    ['nobody marked it: brought up to date', undefined, kind.spec.versions, [version.name], [version.name]],
    ['a version that stores objects stays', '0.9.0', [alpha0], ['v1alpha0'], [version.name, 'v1alpha0']],
    ['one that stores nothing goes', '0.9.0', [alpha0, version], [version.name], [version.name]],
  ])('%s', (_reason, release, versions, stored, expected) => {
    const upgrade = upgradeOf(installed(release, versions, stored), kind)
    expect((upgrade?.spec.versions as { name: string }[] | undefined)?.map(({ name }) => name)).toEqual(expected)
    expect((upgrade?.spec.versions as { storage: boolean }[] | undefined)?.filter(({ storage }) => storage).length ?? 1).toBe(1)
  })
})
