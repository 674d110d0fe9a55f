import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { weftWith } from '../../test/integration/weft-command.ts'

const GROUP = 'soak.example.org'

/** A package that comes in one version after the other; a definition and a Composition, which is a new one each time. */
export class Upgrades {
  readonly #folder: string
  #version = 0

  constructor(folder: string) {
    this.#folder = join(folder, 'package')
  }

  async next(dataDir: string): Promise<void> {
    this.#version += 1
    await mkdir(this.#folder, { recursive: true })
    const files: Readonly<Record<string, object>> = {
      crossplane: { apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Configuration', metadata: { name: 'soak' }, spec: {} },
      definition: {
        apiVersion: 'apiextensions.crossplane.io/v2',
        kind: 'CompositeResourceDefinition',
        metadata: { name: `soaked.${GROUP}` },
        spec: {
          group: GROUP,
          scope: 'Cluster',
          names: { kind: 'Soaked', plural: 'soaked' },
          versions: [{ name: 'v1', served: true, referenceable: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      },
      composition: {
        apiVersion: 'apiextensions.crossplane.io/v1',
        kind: 'Composition',
        metadata: { name: 'soaked', labels: { version: `v${this.#version}` } },
        spec: {
          compositeTypeRef: { apiVersion: `${GROUP}/v1`, kind: 'Soaked' },
          mode: 'Pipeline',
          pipeline: [{ step: `step-${this.#version}`, functionRef: { name: 'function-auto-ready' } }],
        },
      },
    }
    for (const [name, object] of Object.entries(files)) await writeFile(join(this.#folder, `${name}.yaml`), JSON.stringify(object))
    const { code, output } = await weftWith({}, 'package', 'install', this.#folder, '--wait', '--data-dir', dataDir)
    if (code !== 0) throw new Error(`weft package install: ${output}`)
  }
}
