import { forbidden, type KubeObject } from '@weft/api'
import type { TraceNode } from '@weft/composition'
import { expect, test } from 'vitest'
import type { Cluster } from '../../cluster/index.ts'
import { idleKinds } from './idle-kinds.ts'

const node = (state: TraceNode['state'], kind = 'Thing', children: readonly TraceNode[] = []): TraceNode => ({
  ref: { apiVersion: 'example.org/v1', kind, name: kind.toLowerCase() },
  state,
  children,
})
const labels = { 'pkg.crossplane.io/package': 'provider-x', 'pkg.weft.dev/package-type': 'Provider' }
const provider = (status: string, message?: string): KubeObject => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Provider',
  metadata: { name: 'provider-x' },
  status: { conditions: [{ type: 'Healthy', status, reason: 'R', message }] },
})

function clusterWith(found: KubeObject | Error): Cluster {
  const quiet = {
    async find({ kind }: { kind: string }) {
      if (kind === 'CustomResourceDefinition') return { metadata: { name: 'things.example.org', labels } }
      if (found instanceof Error) throw found
      return found
    },
  }
  return { quiet, kinds: { all: async () => [{ group: 'example.org', kind: 'Thing', plural: 'things' }] } } as unknown as Cluster
}

const told = (root: TraceNode, found: KubeObject | Error = provider('False', 'it has ended with 1: cannot log in.')) =>
  idleKinds(clusterWith(found), root)

test('says which provider does not run, and its last words, once for all objects of a kind', async () => {
  const [sentence, ...others] = await told(node('waiting', 'Claim', [node('waiting'), node('waiting')]))
  expect(sentence).toBe(
    'Nothing reconciles Thing: provider provider-x is not running (it has ended with 1: cannot log in); `weft logs provider-x` shows what it printed.',
  )
  expect(others).toEqual([])
})

test.each<[string, TraceNode, KubeObject | Error | undefined]>([
  ['of what is ready', node('ready'), undefined],
  ['of a provider that works', node('waiting'), provider('True')],
  ['of what the reader may not see', node('waiting'), forbidden({ group: '', resource: 'providers' }, 'no')],
  ['of a kind that no package brings', node('waiting', 'Other'), undefined],
])('says nothing %s', async (_reason, root, found) => {
  expect(await told(root, found)).toEqual([])
})
