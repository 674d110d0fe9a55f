import { expect, it } from 'vitest'
import { serverVersion } from './server-version.ts'

it.each([
  ['v1.36.0+weft.0.1.0', '0.1.0 (Kubernetes API v1.36.0)', 'an embedded server'],
  ['v1.36.0+weft.0.2.0-rc.1', '0.2.0-rc.1 (Kubernetes API v1.36.0)', 'one before a release'],
  ['v1.36.0+weft', 'v1.36.0+weft', 'one that does not say its release'],
  ['v1.33.1+k3s1', 'v1.33.1+k3s1', 'a cluster'],
])('%s is shown as %s: %s', (gitVersion, shown) => {
  expect(serverVersion(gitVersion)).toBe(shown)
})
