import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { type AttackedWorld, outcome, type Persona, refusal, startAttackedWorld } from '../attack/world.ts'
import { packProvider } from '../integration/packages/pack-provider.ts'
import { weftWith } from '../integration/weft-command.ts'
import { readGuide, wordsOf } from './guide-commands.ts'

const PROVIDER = { group: 'pkg.crossplane.io', kind: 'Provider' }
const NOP = { group: 'nop.crossplane.io', kind: 'NopResource' }

describe('the guide for provider authors, as a package operator and an infrastructure operator', () => {
  let world: AttackedWorld
  let pat: Persona
  let ivy: Persona
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-guide-'))
    // What an author has after the guide to writing one: the model, under a name of its own.
    const directory = await packProvider('nop', 'nopProvider', join(folder, 'my-provider'))
    const path = join(directory, 'crossplane.yaml')
    const { metadata, ...rest } = parse(await readFile(path, 'utf8')) as { metadata: object }
    await writeFile(path, stringify({ ...rest, metadata: { ...metadata, name: 'my-provider' } }))
    world = await startAttackedWorld({ providers: ['gcp'], args: ['--package-path', folder] })
    pat = await world.persona('package-operator', { name: 'pat', namespace: 'platform' })
    ivy = await world.persona('infrastructure-operator', { name: 'ivy', namespace: 'platform' })
  })
  afterAll(async () => {
    await world?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const weft = async (who: Persona, line: string): Promise<string> => {
    const { code, output } = await weftWith({ cwd: folder, env: { KUBECONFIG: who.kubeconfig } }, ...wordsOf(line))
    expect(code, `${line}\n${output}`).toBe(0)
    expect(output, line).not.toContain('you may not')
    return output
  }

  it('every command of it works with the role that it names', async () => {
    const { yaml, commands } = await readGuide('provider-author')
    const lines = commands.filter((line) => line.startsWith('weft '))
    const packaging = lines.filter((line) => line.startsWith('weft package '))
    expect(packaging.length).toBeGreaterThan(2)
    for (const line of packaging) await weft(pat, line)
    expect(await weft(pat, 'weft package list')).toMatch(/my-provider +Provider +True +True/)
    await writeFile(join(folder, 'resource.yaml'), yaml[0] ?? '')
    // Rights follow kinds a moment after they are served.
    await eventually(() => ivy.client.list(NOP))
    const using = lines.filter((line) => !packaging.includes(line))
    expect(using.length).toBeGreaterThan(3)
    for (const line of using) await weft(ivy, line)
    expect(await weft(ivy, 'weft trace nopresource/example')).toContain('Available')
  })

  it('each role has no more than the guide says', async () => {
    expect(await outcome(pat.client.list(NOP))).toBe('Forbidden')
    expect(await outcome(pat.client.list({ group: '', kind: 'Secret' }, { namespace: 'crossplane-system' }))).toBe('Forbidden')
    expect(await outcome(ivy.client.delete(PROVIDER, { name: 'my-provider' }))).toBe('Forbidden')
  })

  it('the package in use is kept until its number is confirmed', async () => {
    const line = (await readGuide('provider-author')).commands.find((each) => each.includes('confirm-deletion')) ?? ''
    expect(await refusal(pat.client.delete(PROVIDER, { name: 'my-provider' }))).toContain(line)
    const [name = '', assignment = ''] = wordsOf(line).slice(-2)
    const [key = '', value = ''] = assignment.split('=')
    await pat.client.patch(PROVIDER, { name }, { type: 'merge', body: { metadata: { annotations: { [key]: value } } } })
    expect(await refusal(pat.client.delete(PROVIDER, { name }))).toBe('allowed')
    await waitFor(pat.client, PROVIDER, { name }, (object) => object === undefined, { timeoutMs: 60_000 })
  })
})
