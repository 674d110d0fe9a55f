import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildPackage, openPackage, PackageError, parsePackage, writeXpkg } from '@weft/xpkg'
import { FuzzFinding, type FuzzTarget } from './target.ts'

const META = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: fuzz\n'
const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.fuzz.example.org
spec:
  group: fuzz.example.org
  names: {kind: Thing, plural: things}
  scope: Cluster
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`

/** Packages: their YAML, their archives and the images in them. Whatever is wrong with them is said as a PackageError. */
export function packageTarget(): FuzzTarget {
  let folder = ''
  let archive: Uint8Array = new Uint8Array()
  return {
    name: 'packages',
    async start() {
      folder = await mkdtemp(join(tmpdir(), 'weft-fuzz-'))
      const source = join(folder, 'source')
      const { mkdir } = await import('node:fs/promises')
      await mkdir(source)
      await writeFile(join(source, 'crossplane.yaml'), META)
      await writeFile(join(source, 'definition.yaml'), DEFINITION)
      await writeXpkg(await buildPackage(source).catch(() => buildMinimal(source)), join(folder, 'good.xpkg'))
      archive = await readFile(join(folder, 'good.xpkg'))
    },
    async run(draw, note) {
      const text = draw.garbled(`${META}---\n${DEFINITION}`)
      note(text)
      await refusedInWords(() => parsePackage(text))
      const garbled = draw.garbledBytes(archive)
      const bytes = draw.chance(0.3) ? draw.garbledBytes(gzipSync(garbled)) : garbled
      note(Buffer.from(bytes).toString('base64'))
      const path = join(folder, 'bad.xpkg')
      await writeFile(path, bytes)
      await refusedInWords(() => openPackage(path))
    },
    stop: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Without the definition, should a configuration not be allowed to hold one. */
async function buildMinimal(source: string): ReturnType<typeof buildPackage> {
  await rm(join(source, 'definition.yaml'))
  return buildPackage(source)
}

async function refusedInWords(act: () => unknown): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof PackageError)) throw new FuzzFinding(`${String(error)}\n${error instanceof Error ? (error.stack ?? '') : ''}`)
  }
}
