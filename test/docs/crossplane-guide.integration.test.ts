import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, type Persona, startAttackedWorld } from '../attack/world.ts'
import { weftWith } from '../integration/weft-command.ts'
import { readGuide, wordsOf } from './guide-commands.ts'

const PLATFORM = fileURLToPath(new URL('../../examples/crossplane-claims/', import.meta.url))

/** Its second part is followed on a real Kubernetes, by test/kubernetes/crossplane-guide.kubernetes.test.ts. */
describe('the guide from Crossplane: a platform is tried, each step by whom it belongs to', () => {
  let world: AttackedWorld
  let people: Readonly<Record<'paula' | 'ivy' | 'amy', Persona>>
  let folder: string
  beforeAll(async () => {
    world = await startAttackedWorld()
    people = {
      paula: await world.persona('package-operator', { name: 'paula' }),
      ivy: await world.persona('infrastructure-operator', { name: 'ivy' }),
      amy: await world.persona('application-operator', { name: 'amy' }),
    }
    folder = await mkdtemp(join(tmpdir(), 'weft-guide-'))
    for (const file of ['functions.yaml', 'definition.yaml', 'composition.yaml', 'claim.yaml'])
      await copyFile(join(PLATFORM, file), join(folder, file))
    await writeFile(join(folder, 'pipelines.yaml'), (await readGuide('from-crossplane')).yaml[0] ?? '')
  })
  afterAll(async () => {
    await world?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const kubeconfigFor = (line: string): string => {
    if (line.includes('functions.yaml')) return people.paula.kubeconfig
    if (line.includes('pipelines.yaml')) return world.adminKubeconfig
    return /claim\.yaml|sqldatabase\//.test(line) ? people.amy.kubeconfig : people.ivy.kubeconfig
  }
  const run = async (line: string) => weftWith({ cwd: folder, env: { KUBECONFIG: kubeconfigFor(line) } }, ...wordsOf(line))

  it('every command in it works with the shipped roles and the one that it adds', async () => {
    const { commands } = await readGuide('from-crossplane')
    const lines = commands.slice(1, commands.indexOf('weft install --check'))
    expect(lines.length).toBeGreaterThan(6)
    let trace = ''
    for (const line of lines) {
      const attempt = async (): Promise<string> => {
        const { code, output } = await run(line)
        expect(code, `${line}\n${output}`).toBe(0)
        return output
      }
      // Rights on a kind follow the kind, and those that a role adds follow the role.
      const output = await (line.startsWith('weft apply') ? eventually(attempt, { intervalMs: 500 }) : attempt())
      if (line.startsWith('weft trace')) trace = output
    }
    expect(trace).toMatch(/SQLDatabase default\/orders is ready/)
  })

  it('without that right a pipeline is refused to an infrastructure operator, and says which', async () => {
    await world.admin.delete({ group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' }, { name: 'operators-write-pipelines' })
    const composition = await world.admin.get(
      { group: 'apiextensions.crossplane.io', version: 'v1', kind: 'Composition' },
      { name: 'sqldatabase' },
    )
    const copy = { ...composition, metadata: { name: 'another' } }
    await eventually(() => expect(people.ivy.client.create(copy, { dryRun: true })).rejects.toThrow(/escalate/))
  })
})
