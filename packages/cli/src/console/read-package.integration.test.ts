import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endOfLog } from '../process-logs/process-logs.ts'
import { readPackage } from './read-package.ts'

const NEVER = new AbortController().signal
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weft-read-package-'))
  await mkdir(join(folder, 'platform'))
  await writeFile(
    join(folder, 'platform', 'crossplane.yaml'),
    `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata: {name: platform}
spec:
  dependsOn: [{provider: registry.example.org/provider-a, version: ">=v1.0.0"}]
`,
  )
  await writeFile(
    join(folder, 'platform', 'api.yaml'),
    `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xstores.example.org}
spec:
  group: example.org
  names: {kind: XStore, plural: xstores}
  claimNames: {kind: Store, plural: stores}
  versions:
    - {name: v1, served: true, referenceable: true, schema: {openAPIV3Schema: {type: object}}}
---
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: store}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: XStore}
  mode: Pipeline
  pipeline: [{step: a, functionRef: {name: a}}]
`,
  )
  await mkdir(join(folder, 'data', 'logs'), { recursive: true })
  await writeFile(join(folder, 'data', 'logs', 'acme.log'), 'one\ntwo\nthree\n')
  await writeFile(join(folder, 'secret.log'), 'a secret')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a package', () => {
  it('says what it would bring', async () => {
    const contents = await readPackage(join(folder, 'platform'), { paths: { within: [folder] } }, NEVER)
    expect(contents).toMatchObject({
      type: 'Configuration',
      name: 'platform',
      kinds: [
        { group: 'example.org', kind: 'XStore', plural: 'xstores' },
        { group: 'example.org', kind: 'Store', plural: 'stores' },
      ],
      others: [{ kind: 'Composition', name: 'store' }],
      dependencies: [{ type: 'Provider', package: 'registry.example.org/provider-a', version: '>=v1.0.0' }],
    })
    expect(contents.source).toMatch(/platform@sha256:[0-9a-f]{64}$/)
  })

  it('is not read from where the control plane reads none', async () => {
    for (const options of [{}, { paths: { within: [join(folder, 'other')] } }])
      await expect(readPackage(join(folder, 'platform'), options, NEVER)).rejects.toMatchObject({ code: 422 })
    await expect(readPackage('nonsense value', {}, NEVER)).rejects.toMatchObject({ code: 422 })
  })
})

describe('the output of a package', () => {
  const data = (): string => join(folder, 'data')

  it('is its last whole lines', async () => {
    expect(await endOfLog(data(), 'Provider', 'acme', 1000)).toBe('one\ntwo\nthree\n')
    expect(await endOfLog(data(), 'Provider', 'acme', 8)).toBe('three\n')
    expect(await endOfLog(data(), 'Function', 'acme', 1000)).toBeUndefined()
  })

  it.each(['../../secret', '../secret', '/etc/passwd', 'logs/../acme', ''])('is no other file: %j', async (name) => {
    expect(await endOfLog(data(), 'Provider', name, 1000)).toBeUndefined()
  })
})
