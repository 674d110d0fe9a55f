import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasReason, type KubeObject } from '@weft/api'
import { eventually, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, type Persona, startAttackedWorld } from '../attack/world.ts'
import { weftWith } from '../integration/weft-command.ts'
import { readGuide, wordsOf } from './guide-commands.ts'

const APIEXTENSIONS = 'apiextensions.crossplane.io/v1alpha1'
const DATABASE = { group: 'example.org', kind: 'MySQLDatabase' }
const PUBLICATION = { group: 'apiextensions.crossplane.io', kind: 'InfrastructurePublication' }
const NAME = 'mysqldatabases.example.org'

const composition = (name: string): KubeObject => ({
  apiVersion: APIEXTENSIONS,
  kind: 'Composition',
  metadata: { name },
  spec: {
    from: { apiVersion: 'example.org/v1alpha1', kind: 'MySQLDatabase' },
    to: [{ base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: { fields: { by: name } } } } }],
  },
})

/** The platform that the guide speaks of. */
const PLATFORM: Readonly<Record<string, KubeObject>> = {
  'definition.yaml': {
    apiVersion: APIEXTENSIONS,
    kind: 'InfrastructureDefinition',
    metadata: { name: NAME },
    spec: {
      defaultComposition: { name: 'private' },
      crdSpecTemplate: {
        group: 'example.org',
        version: 'v1alpha1',
        names: { kind: 'MySQLDatabase', plural: 'mysqldatabases' },
        validation: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } },
      },
    },
  },
  'publication.yaml': {
    apiVersion: APIEXTENSIONS,
    kind: 'InfrastructurePublication',
    metadata: { name: NAME },
    spec: { infrastructureDefinitionReference: { name: NAME } },
  },
  'private.yaml': composition('private'),
  'private-v2.yaml': composition('private-v2'),
}
const database = (kind: string, metadata: KubeObject['metadata']): KubeObject => ({
  apiVersion: 'example.org/v1alpha1',
  kind,
  metadata,
  spec: { size: 1 },
})

describe('the guide for platform engineers, as an infrastructure operator', () => {
  let world: AttackedWorld
  let ivy: Persona
  let folder: string
  beforeAll(async () => {
    world = await startAttackedWorld({ providers: ['nop', 'postgresql', 'gcp'] })
    ivy = await world.persona('infrastructure-operator', { name: 'ivy', namespace: 'platform' })
    folder = await mkdtemp(join(tmpdir(), 'weft-guide-'))
    await mkdir(join(folder, 'platform'))
    // JSON is YAML.
    for (const [file, object] of Object.entries(PLATFORM)) await writeFile(join(folder, 'platform', file), JSON.stringify(object))
    await writeFile(join(folder, 'composite.yaml'), JSON.stringify(database('MySQLDatabase', { name: 'orders' })))
    await writeFile(join(folder, 'composition.yaml'), JSON.stringify(composition('private')))
    // The rights on the kinds of a provider follow those kinds; a person comes later than that.
    await eventually(() => ivy.client.list({ group: 'postgresql.weft.dev', kind: 'PostgreSQLServerClass' }))
  })
  afterAll(async () => {
    await world?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const weft = async (...args: readonly string[]): Promise<string> => {
    const { code, output } = await weftWith({ cwd: folder, env: { KUBECONFIG: ivy.kubeconfig } }, ...args)
    expect(code, `weft ${args.join(' ')}\n${output}`).toBe(args[0] === 'diff' ? 1 : 0)
    return output
  }
  /** What `kubectl annotate KIND NAME KEY=VALUE` does. */
  const annotate = async (kind: { readonly group: string; readonly kind: string }, line: string): Promise<void> => {
    const [name = '', assignment = ''] = wordsOf(line).slice(-2)
    const [key = '', value = ''] = assignment.split('=')
    await ivy.client.patch(kind, { name }, { type: 'merge', body: { metadata: { annotations: { [key]: value } } } })
  }
  const typed = async (part: string): Promise<string> => {
    const found = (await readGuide('platform-engineer')).commands.find((line) => line.includes(part))
    expect(found, `the guide has no line with ${part}`).toBeDefined()
    return found ?? ''
  }

  it('every command of weft in it works with the shipped roles alone', async () => {
    const { yaml, commands } = await readGuide('platform-engineer')
    await writeFile(join(folder, 'class.yaml'), yaml[0] ?? '')
    await weft('apply', '-f', 'class.yaml')
    const lines = commands.filter((line) => line.startsWith('weft '))
    expect(lines.length).toBeGreaterThan(4)
    for (const line of lines) await weft(...wordsOf(line))
    await weft('apply', '-f', 'platform')
  })

  it('a composite moves to another Composition when its operator says so', async () => {
    await eventually(() => ivy.client.create(database('MySQLDatabase', { name: 'orders' })))
    const composedBy = (name: string) => (object: KubeObject | undefined) =>
      (object?.['status'] as { readonly composition?: string } | undefined)?.composition === name
    await waitFor(ivy.client, DATABASE, { name: 'orders' }, composedBy('private'))
    await annotate(DATABASE, await typed('move-to-composition'))
    await waitFor(ivy.client, DATABASE, { name: 'orders' }, composedBy('private-v2'))
  })

  it('a publication in use goes only when its number is confirmed', async () => {
    await eventually(() => world.admin.create(database('MySQLDatabaseRequirement', { name: 'shop', namespace: 'default' })))
    const refusal = await ivy.client.delete(PUBLICATION, { name: NAME }).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(hasReason(refusal, 'Forbidden')).toBe(true)
    const line = await typed('confirm-deletion')
    expect(String(refusal)).toContain(line)
    await annotate(PUBLICATION, line)
    await ivy.client.delete(PUBLICATION, { name: NAME })
    await waitFor(ivy.client, PUBLICATION, { name: NAME }, (object) => object === undefined)
  })
})
