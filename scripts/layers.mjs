// The order of the folders inside a package: a folder imports those below it, never one above. Types count: what a contract is
// written in is a dependency like any other. dependency-cruiser holds the order between packages; it cannot read JSX, and a rule per
// pair of folders says nothing of a folder that nobody thought of. Here every folder has its place or the gate fails.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * From the top down. What stands in one line together (an array) may import one another: nouns of one thing that were given folders.
 * Files beside the folders have places of their own; one that is not named stands at the top, where the package is put together.
 */
export const LAYERS = {
  'packages/apiserver/src': [
    'http',
    'metrics',
    'endpoints',
    'lifecycle',
    'admission',
    'quota',
    'audit',
    'fairness',
    'registry',
    'patch',
    'apply',
    'protobuf',
    'kinds',
    'auth',
    'pki',
    'storage',
  ],
  'packages/schema/src': [
    'openapi',
    'crd',
    'compile.ts',
    'validate',
    'transform',
    'structure',
    'jsonpath',
    'object-meta.ts',
    'shape.ts',
    'rules.ts',
    'node.ts',
    'recent-values.ts',
    'walk.ts',
    'messages.ts',
    'formats',
    'values.ts',
  ],
  'packages/controllers/src': [
    'operation',
    'usage',
    'function',
    'package',
    'doomed',
    'rbac',
    'xr-claim',
    'xr',
    'xrd',
    'requirement',
    'composite',
    'revision',
    'managed-definition',
    'claim-controllers',
    'group',
    'selection',
    'claim',
    'deletion',
    'definition',
    'spelling',
    'bindings-table',
    'secret',
    'connection',
    'binding',
  ],
  'packages/cli/src': [
    'quick',
    'commands',
    'completion',
    'selection',
    'console',
    'process-logs',
    'typescript',
    'manifests',
    'scaffold',
    'cluster',
    'progress.ts',
    'output',
    'jsonpath',
    'command-entry.ts',
    'run.ts',
    'parse-port.ts',
    'until-signal.ts',
    'report.ts',
    'terminal',
    'server-version.ts',
    'version.ts',
  ],
  'packages/console/src/app': [
    'manual',
    'shell',
    'pages',
    'edit',
    'actions',
    'graph',
    'editor',
    'form',
    'parts',
    'objects',
    'schema',
    'session',
    'live',
    'api',
    'routing',
    'style',
  ],
}

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g
const SOURCE = /\.tsx?$/
const NOT_PRODUCT = /\.(test|fixture|bench)\.tsx?$/

/** What breaks the order under `root`, a sentence each, and how many files were looked at. */
export function checkLayers(root, layers = LAYERS) {
  const broken = []
  let files = 0
  for (const [folder, order] of Object.entries(layers)) {
    const source = join(root, folder)
    if (!existsSync(source)) {
      broken.push(`${folder} is named in scripts/layers.mjs and does not exist`)
      continue
    }
    const depth = new Map(order.flatMap((layer, at) => [layer].flat().map((name) => [name, at])))
    for (const entry of readdirSync(source, { withFileTypes: true })) {
      if (entry.isDirectory() && entry.name !== 'testdata' && !depth.has(entry.name))
        broken.push(`${folder}/${entry.name}: give this folder its place in scripts/layers.mjs`)
    }
    for (const name of depth.keys())
      if (!existsSync(join(source, name))) broken.push(`${folder}/${name} has a place in scripts/layers.mjs and does not exist`)
    for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!SOURCE.test(file) || NOT_PRODUCT.test(file)) continue
      files++
      const from = placeOf(file)
      for (const [, target] of readFileSync(join(source, file), 'utf8').matchAll(IMPORT)) {
        const to = placeOf(relative(source, resolve(source, dirname(file), target)))
        if (to === from || to === '..') continue
        if ((depth.get(to) ?? -1) < (depth.get(from) ?? -1)) broken.push(`${folder}/${file} imports ${target}: ${to} stands above ${from}`)
      }
    }
  }
  return { broken, files }
}

/** The folder, or the file beside the folders, that a path belongs to. */
function placeOf(path) {
  return path.split(sep)[0]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { broken, files } = checkLayers(process.argv[2] ?? resolve(dirname(fileURLToPath(import.meta.url)), '..'))
  for (const line of broken) process.stdout.write(`${line}\n`)
  process.stdout.write(`looked at imports on ${files} files\n`)
  process.exitCode = broken.length === 0 ? 0 : 1
}
