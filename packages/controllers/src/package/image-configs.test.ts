import { describe, expect, it } from 'vitest'
import { configuredImage } from './image-configs.ts'
import type { ImageConfig } from './kinds.ts'

const config = (name: string, prefix: string, spec: object): ImageConfig => ({
  apiVersion: 'pkg.crossplane.io/v1beta1',
  kind: 'ImageConfig',
  metadata: { name },
  spec: { matchImages: [{ prefix }], ...spec },
})
const pull = (name: string): object => ({ registry: { authentication: { pullSecretRef: { name } } } })
const rewrite = (prefix: string): object => ({ rewriteImage: { prefix } })
const IMAGE = 'xpkg.example.org/team/provider-parts:v1'

describe('K178, K179 what ImageConfigs say of an image', () => {
  it.each([
    ['nothing matches', [config('a', 'other.example.org', pull('x'))], { resolved: IMAGE, applied: [] }],
    [
      'the longest prefix counts',
      [config('a', 'xpkg.example.org', pull('short')), config('b', 'xpkg.example.org/team', pull('long'))],
      { pullSecret: 'long', applied: [{ name: 'b', reason: 'SetImagePullSecret' }] },
    ],
    [
      'of two as long the first counts',
      [config('a', 'xpkg.example.org', pull('first')), config('b', 'xpkg.example.org', pull('second'))],
      { pullSecret: 'first' },
    ],
    [
      'each purpose by itself',
      [config('a', 'xpkg.example.org', pull('x')), config('b', 'xpkg.example.org/team', { runtime: { configRef: { name: 'r' } } })],
      {
        pullSecret: 'x',
        runtime: { name: 'r' },
        applied: [
          { name: 'a', reason: 'SetImagePullSecret' },
          { name: 'b', reason: 'ConfigureRuntime' },
        ],
      },
    ],
    [
      'rewritten by its name, all else by what it was rewritten to, and once only',
      [
        config('mirror', 'xpkg.example.org', rewrite('mirror.example.org/cache')),
        config('again', 'mirror.example.org', rewrite('third.example.org')),
        config('old', 'xpkg.example.org', pull('old')),
        config('new', 'mirror.example.org', pull('new')),
      ],
      { resolved: 'mirror.example.org/cache/team/provider-parts:v1', pullSecret: 'new' },
    ],
  ])('%s', (_reason, configs, wanted) => expect(configuredImage(IMAGE, configs)).toMatchObject(wanted))
})
