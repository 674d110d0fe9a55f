import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { writeTarball } from '../../packages/xpkg/src/image/image-tarball.ts'
import { type Entry, layerTar, programImage } from '../../packages/xpkg/src/program/program.fixture.ts'
import { programFiles } from './image-files.ts'

const here = dirname(fileURLToPath(import.meta.url))

export const functionMeta = (name: string): string =>
  `apiVersion: meta.pkg.crossplane.io/v1\nkind: Function\nmetadata: {name: ${name}}\nspec: {}\n`

let node: Promise<Uint8Array> | undefined
/** The layer with Node, made once: it is most of the image. */
const nodeLayer = (): Promise<Uint8Array> => (node ??= programFiles(process.execPath, 'usr/bin/node').then(layerTar))

/** The program of function.ts in one file. */
export async function bundledFunction(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(here, 'function.ts')],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/** Writes an .xpkg file whose image runs Node in a root file system of its own; `more` is laid over it. */
export async function writeFunctionPackage(
  path: string,
  { name, more = [], env = [] }: { readonly name: string; readonly more?: readonly Entry[]; readonly env?: readonly string[] },
): Promise<void> {
  const script: Entry = { name: 'function/main.cjs', text: await bundledFunction() }
  const image = await programImage({
    layers: [await nodeLayer(), [script, ...more]],
    config: { Entrypoint: ['node', '/function/main.cjs'], Env: ['PATH=/usr/bin', ...env], WorkingDir: '/function', User: '65532' },
    yaml: functionMeta(name),
    // Compressing a hundred megabytes takes longer than the whole test.
    compress: false,
  })
  await writeFile(path, await writeTarball(image))
}
