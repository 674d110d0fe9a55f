import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Image } from '../../packages/xpkg/src/image/build-image.ts'
import { writeTarball } from '../../packages/xpkg/src/image/image-tarball.ts'
import { type Entry, layerTar, programImage } from '../../packages/xpkg/src/program/program.fixture.ts'
import { programFiles } from './image-files.ts'

const here = dirname(fileURLToPath(import.meta.url))

export const functionMeta = (name: string): string =>
  `apiVersion: meta.pkg.crossplane.io/v1\nkind: Function\nmetadata: {name: ${name}}\nspec: {}\n`

let node: Promise<Uint8Array> | undefined
/** The layer with Node, made once: it is most of the image. */
const nodeLayer = (): Promise<Uint8Array> => (node ??= programFiles(process.execPath, 'usr/bin/node').then(layerTar))

/** The program of a file beside this one, in one file. */
export async function bundled(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(here, file)],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    // What reads its own folder in modules; there is none here.
    define: { 'import.meta.url': '"file:///program/main.cjs"' },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

export interface NodeImage {
  /** Beside this one. */
  readonly program: string
  readonly yaml: string
  /** Laid over it. */
  readonly more?: readonly Entry[]
  readonly env?: readonly string[]
}

/** An image that runs Node in a root file system of its own. */
export async function nodeImage({ program, yaml, more = [], env = [] }: NodeImage): Promise<Image> {
  const script: Entry = { name: 'function/main.cjs', text: await bundled(program) }
  return programImage({
    layers: [await nodeLayer(), [script, ...more]],
    config: { Entrypoint: ['node', '/function/main.cjs'], Env: ['PATH=/usr/bin', ...env], WorkingDir: '/function', User: '65532' },
    yaml,
    // Compressing a hundred megabytes takes longer than the whole test.
    compress: false,
  })
}

/** Writes an .xpkg file of a function. */
export async function writeFunctionPackage(
  path: string,
  { name, ...image }: { readonly name: string; readonly more?: readonly Entry[]; readonly env?: readonly string[] },
): Promise<void> {
  await writeFile(path, await writeTarball(await nodeImage({ program: 'function.ts', yaml: functionMeta(name), ...image })))
}
