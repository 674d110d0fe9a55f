// Writes down the field numbers and types that Kubernetes publishes for its messages, so that a test can hold our tables
// against them: node scripts/published-fields.mjs [version of the k8s.io modules]. Needs Go, and the modules in its cache.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const version = process.argv[2] ?? 'v0.36.3'
const cache = execFileSync('go', ['env', 'GOMODCACHE']).toString().trim()
const MODULES = ['api', 'apimachinery', 'apiextensions-apiserver', 'kube-aggregator']
const target = join(dirname(fileURLToPath(import.meta.url)), '../packages/apiserver/src/protobuf/testdata/published-fields.txt')

/** One line per message: its name as OpenAPI has it, then each field as number:name:type. Nothing else is read. */
function messagesOf(text) {
  const of = /^package (\S+);/m.exec(text)?.[1] ?? ''
  const isServed = /\.v1$|autoscaling\.v2$|apidiscovery\.v2$|meta\.v1beta1$/.test(of)
  return !isServed
    ? []
    : [...text.matchAll(/^message (\w+) \{\n(.*?)^\}/gms)].map(([, name, body]) => `${openApi(of)}.${name} ${fieldsOf(body, of)}`)
}

const fieldsOf = (body, of) =>
  [...body.matchAll(/^ {2}(optional|repeated|map)(?: |(?=<))(\S+(?:, \S+)?) (\w+) = (\d+);/gm)]
    .map(
      ([, how, type, name, number]) =>
        `${number}:${name}:${how === 'repeated' ? '[]' : ''}${typeName(how === 'map' ? type.replace(/^<string, |>$/g, '') : type, of, how)}`,
    )
    .join(' ')

const typeName = (type, of, how) =>
  `${how === 'map' ? '{}' : ''}${/^[a-z0-9]+$/.test(type) ? type : openApi(type.startsWith('.') ? type.slice(1) : `${of}.${type}`)}`

const openApi = (name) => `io.k8s.${name.replace(/^k8s\.io\./, '')}`.replaceAll('_', '-')

const files = MODULES.flatMap((module) => {
  const folder = join(cache, 'k8s.io', `${module}@${version}`)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('generated.proto'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
})
const lines = files.flatMap(messagesOf)
writeFileSync(target, `${lines.sort().join('\n')}\n`)
console.log(`${lines.length} messages`)
