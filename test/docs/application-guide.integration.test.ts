import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@weft/api'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, type Persona, startAttackedWorld } from '../attack/world.ts'
import { type CommandResult, weftWith } from '../integration/weft-command.ts'
import { readGuide, wordsOf } from './guide-commands.ts'

/** What the platform team of the guide offers. */
const OFFER: KubeObject = {
  apiVersion: 'infrastructure.crossplane.io/v1alpha1',
  kind: 'ResourceClass',
  metadata: { name: 'small', labels: { tier: 'small' } },
  spec: {
    claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'PostgreSQLInstance' },
    resource: {
      base: {
        apiVersion: 'nop.crossplane.io/v1alpha1',
        kind: 'NopResource',
        spec: {
          forProvider: { connectionDetails: [{ name: 'endpoint', value: 'db.example.org' }] },
          writeConnectionSecretToRef: { namespace: 'crossplane-system' },
        },
      },
    },
  },
}

/** Exit codes that mean something else than success. */
const DIFFERS = /^weft (diff|plan) /

describe('the guide for application engineers, as an application operator', () => {
  let world: AttackedWorld
  let amy: Persona
  let folder: string
  beforeAll(async () => {
    world = await startAttackedWorld()
    await world.admin.create(OFFER)
    amy = await world.persona('application-operator', { name: 'amy', namespace: 'default' })
    folder = await mkdtemp(join(tmpdir(), 'weft-guide-'))
    // The rights on the kinds of a provider follow those kinds; a person comes later than that.
    await eventually(() => amy.client.list({ group: 'nop.crossplane.io', kind: 'NopResourceClass' }))
  })
  afterAll(async () => {
    await world?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('every command of it works with the shipped roles alone', async () => {
    const { yaml, commands: lines } = await readGuide('application-engineer')
    await writeFile(join(folder, 'claim.yaml'), yaml[0] ?? '')
    const commands = lines.filter((line) => line.startsWith('weft '))
    expect(commands.length).toBeGreaterThan(8)
    const results = new Map<string, CommandResult>()
    for (const line of commands) {
      const [command = '', ...piped] = line.split(' | ')
      expect(piped.every((each) => each.startsWith('base64'))).toBe(true)
      const result = await weftWith({ cwd: folder, env: { KUBECONFIG: amy.kubeconfig } }, ...wordsOf(command))
      expect(result.code, `${line}\n${result.output}`).toBe(DIFFERS.test(line) ? 1 : 0)
      expect(result.stderr, line).not.toContain('you may not')
      results.set(line, result)
    }
    const output = (part: string): string => [...results].find(([line]) => line.includes(part))?.[1].stdout ?? ''
    expect(output('get class')).toContain('small')
    expect(output('diff')).toMatch(/\+ NopResource/)
    expect(output('trace')).toMatch(/NopResource\/\S+ .*Available/)
    expect(Buffer.from(output('get secret'), 'base64').toString()).toBe('db.example.org')
    expect(output('plan --delete')).toMatch(/- NopResource/)
  })

  it('what was made changes nothing of a plan once it is there', async () => {
    const path = join(folder, 'claim.yaml')
    expect((await amy.weft('apply', '-f', path)).code).toBe(0)
    expect((await amy.weft('wait', '--for=condition=Ready', 'postgresqlinstance/app', '--timeout=60s')).code).toBe(0)
    expect(await amy.weft('plan', '-f', path)).toMatchObject({ code: 0, output: 'Nothing would change.\n' })
  })
})
