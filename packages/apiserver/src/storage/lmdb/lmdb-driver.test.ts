import { expect, it } from 'vitest'
import { loggedVersions } from './lmdb-driver.ts'

it('a change is recorded with the version before it and the one after it, as far as there are such', () => {
  const before = { revision: 3, size: 30, checksum: 300 }
  const after = { revision: 4, size: 40, checksum: 400 }
  const ofBefore = { previousRevision: 3, previousSize: 30, previousChecksum: 300 }
  const ofAfter = { size: 40, checksum: 400 }
  const nothing = { size: 0, checksum: 0, previousRevision: 0, previousSize: 0, previousChecksum: 0 }
  expect(loggedVersions(before, after)).toEqual({ ...ofBefore, ...ofAfter })
  expect(loggedVersions(undefined, after)).toEqual({ ...nothing, ...ofAfter })
  expect(loggedVersions(before, undefined)).toEqual({ ...nothing, ...ofBefore })
})
