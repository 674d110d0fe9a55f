import { type BuiltPackage, buildPackage } from '@weft/xpkg'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SampleOptions {
  readonly name?: string
  /** Makes its contents, and so its digest, another. */
  readonly note?: string
  /** Repository and range. */
  readonly dependsOn?: Readonly<Record<string, string>>
  /** Bytes of a file that travels along, which do not compress. */
  readonly ballast?: Uint8Array
}

/** A small configuration, built from files as a user's is. */
export async function samplePackage({ name = 'network', note = '', dependsOn = {}, ballast }: SampleOptions = {}): Promise<BuiltPackage> {
  const directory = await mkdtemp(join(tmpdir(), 'weft-sample-'))
  try {
    const dependencies = Object.entries(dependsOn).map(([configuration, version]) => ({ configuration, version }))
    const meta = { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Configuration', metadata: { name }, spec: { dependsOn: dependencies } }
    const composition = {
      apiVersion: 'apiextensions.crossplane.io/v1alpha1',
      kind: 'Composition',
      metadata: { name, annotations: { note } },
      spec: {
        from: { apiVersion: 'sample.example.org/v1alpha1', kind: 'Sample' },
        to: [{ base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } } }],
      },
    }
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'crossplane.yaml'), JSON.stringify(meta))
    await writeFile(join(directory, 'composition.yaml'), JSON.stringify(composition))
    if (ballast !== undefined) await writeFile(join(directory, 'ballast.bin'), ballast)
    return await buildPackage(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
