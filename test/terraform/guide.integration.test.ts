import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../packages/testing/src/index.ts'
import { formatPlatform, thisPlatform } from '../../packages/terraform/src/sources/platform.ts'
import { type AttackedWorld, type Persona, startAttackedWorld } from '../attack/world.ts'
import { readGuide, wordsOf } from '../docs/guide-commands.ts'
import { weftWith } from '../integration/weft-command.ts'
import { ensureTerraformProviders } from './build.mjs'

const built = await ensureTerraformProviders()
const skipped = 'skipped' in built ? built.skipped : undefined
if (skipped !== undefined) console.warn(`the guide to Terraform providers is not followed: ${skipped}`)

const REQUIREMENT = { group: 'platform.example.org', kind: 'NoteRequirement' }

describe.skipIf(skipped !== undefined)('the guide to Terraform providers, as those who it speaks to', () => {
  let home: string
  let world: AttackedWorld
  let people: Readonly<Record<'package' | 'infrastructure' | 'application', Persona>>
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'weft-tf-'))
    // As root the provider is somebody else.
    await chmod(home, 0o777)
    if ('skipped' in built) return
    // What the registry would answer, as a machine without a network has it.
    const mirrored = join(home, 'mirror/registry.opentofu.org/hashicorp/local/2.0.0', formatPlatform(thisPlatform()))
    await mkdir(mirrored, { recursive: true })
    await copyFile(built.local, join(mirrored, 'terraform-provider-local_v2.0.0'))
    world = await startAttackedWorld({ args: ['--allow-provider-executables', '--terraform-mirror', join(home, 'mirror')] })
    const [kim, ivy, amy] = await Promise.all([
      world.persona('package-operator', { name: 'kim' }),
      world.persona('infrastructure-operator', { name: 'ivy' }),
      world.persona('application-operator', { name: 'amy' }),
    ])
    people = { package: kim, infrastructure: ivy, application: amy }
  }, 900_000)
  afterAll(async () => {
    await world?.stop()
    await rm(home, { recursive: true, force: true })
  })

  const run = async ({ kubeconfig }: Persona, ...words: readonly string[]): Promise<string> => {
    const { code, output } = await weftWith({ cwd: home, env: { KUBECONFIG: kubeconfig } }, ...words)
    expect(code, `weft ${words.join(' ')}\n${output}`).toBe(0)
    return output
  }

  test('leads to a claim that a provider satisfies, and away again', async () => {
    const { yaml, commands } = await readGuide('terraform')
    const note = join(home, 'note.txt')
    const [provider = '', offer = '', claim = ''] = yaml.map((text) => text.replaceAll('/tmp/weft-note.txt', note))
    await writeFile(join(home, 'provider.yaml'), provider)
    await writeFile(join(home, 'offer.yaml'), offer)
    await writeFile(join(home, 'claim.yaml'), claim)
    const typed = (part: string): readonly string[] => wordsOf(commands.find((line) => line.startsWith(`weft ${part}`)) ?? '')

    await run(people.package, ...typed('provider add'))
    expect(await run(people.package, ...typed('provider kinds'))).toMatch(/local_file\b/)
    await run(people.package, 'apply', '-f', 'provider.yaml')
    // Rights on the kinds of a provider follow those kinds.
    await eventually(() => run(people.infrastructure, 'apply', '-f', 'offer.yaml'))
    await eventually(() => run(people.application, 'apply', '-f', 'claim.yaml'))
    await run(people.application, ...typed('wait'))
    expect(await run(people.application, ...typed('trace'))).toMatch(/File\/\S+/)
    expect(await readFile(note, 'utf8')).toBe('Hello from Terraform')
    await people.application.client.delete(REQUIREMENT, { namespace: 'default', name: 'hello' })
    await eventually(() => expect(readFile(note)).rejects.toMatchObject({ code: 'ENOENT' }))
  }, 180_000)
})
