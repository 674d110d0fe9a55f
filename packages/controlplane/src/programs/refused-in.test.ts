import { expect, test } from 'vitest'
import { refusedIn } from './refused-in.ts'

const USER = 'system:serviceaccount:crossplane-system:weft-provider-nop-1'

test.each<[string, string, string | undefined]>([
  [
    'as klog prints it',
    `E1116 16:29:56 reflector.go:205] "Failed to watch" err="failed to list *v1.Secret: secrets is forbidden: User \\"${USER}\\" cannot list resource \\"secrets\\" in API group \\"\\" at the cluster scope"`,
    'list secrets',
  ],
  [
    'in plain words',
    `leases.coordination.k8s.io "x" is forbidden: User "${USER}" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "a"`,
    'create leases.coordination.k8s.io',
  ],
  ['something else', 'the bucket is forbidden fruit', undefined],
  ['what only begins so', `x is forbidden: User "${USER}" cannot ${'a'.repeat(1000)}`, undefined],
])('what a provider was refused: %s', (_reason, said, expected) => {
  const told = refusedIn(said, 'provider-nop')
  if (expected === undefined) expect(told).toBeUndefined()
  else expect(told).toMatch(new RegExp(`may not ${expected} as it wants to.*pkg.weft.dev/aggregate-to-provider: provider-nop`))
})
