import type { KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { describe, expect, it } from 'vitest'
import { resolveCredentials } from './credentials.ts'

const config = (namespace: string | undefined, secretRef: object): KubeObject => ({
  apiVersion: 'x.org/v1',
  kind: 'ProviderConfig',
  metadata: { name: 'default', ...(namespace !== undefined && { namespace }) },
  spec: { credentials: { source: 'Secret', secretRef } },
})

/** Answers the configuration, and a secret wherever one is asked for. */
function reading(found: KubeObject): { readonly client: Client; readonly asked: string[] } {
  const asked: string[] = []
  const find = ({ kind }: { kind: string }, { namespace, name }: { namespace?: string; name: string }): Promise<unknown> => {
    if (kind !== 'Secret') return Promise.resolve(found)
    asked.push(`${namespace ?? ''}/${name}`)
    return Promise.resolve({ data: { key: 'dg==' } })
  }
  return { client: { find } as unknown as Client, asked }
}

const resource = { apiVersion: 'x.org/v1', kind: 'X', metadata: { name: 'x', namespace: 'team' } }
const configKinds = [{ group: 'x.org', kind: 'ProviderConfig' }]

describe('resolveCredentials', () => {
  it.each([
    { reason: 'its own namespace when it names none', namespace: 'team', ref: { name: 's', key: 'key' }, asked: 'team/s' },
    { reason: 'its own namespace', namespace: 'team', ref: { namespace: 'team', name: 's', key: 'key' }, asked: 'team/s' },
    {
      reason: 'any namespace for a configuration of the whole cluster',
      namespace: undefined,
      ref: { namespace: 'other', name: 's' },
      asked: 'other/s',
    },
  ])('reads a secret of $reason', async ({ namespace, ref, asked }) => {
    const { client, asked: secrets } = reading(config(namespace, ref))
    await resolveCredentials(resource, { client, configKinds })
    expect(secrets).toEqual([asked])
  })

  it('reads no secret of another namespace for a configuration in a namespace', async () => {
    const { client, asked } = reading(config('team', { namespace: 'other', name: 's', key: 'key' }))
    await expect(resolveCredentials(resource, { client, configKinds })).rejects.toMatchObject({ code: 'ConfigInvalid' })
    expect(asked).toEqual([])
  })
})
