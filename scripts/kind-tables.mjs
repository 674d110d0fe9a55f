// Makes the tables of the built-in kinds that are only stored (packages/apiserver/src/kinds/tables/made) from the Go types
// that Kubernetes publishes: names, numbers, types, list types and published defaults of their fields, and nothing else.
// node scripts/kind-tables.mjs [version of k8s.io/api]. Needs Go, and the module in its cache.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const VERSION = 'v0.36.3'
const target = join(dirname(fileURLToPath(import.meta.url)), '../packages/apiserver/src/kinds/tables/made')

/** One file each: the package of k8s.io/api, the kinds that are wanted, and messages that stand in another file. */
const FILES = [
  { name: 'pods', path: 'core/v1', roots: ['PodTemplate'] },
  {
    name: 'core',
    path: 'core/v1',
    roots: [
      ...['Pod', 'ReplicationController', 'Node', 'PersistentVolume', 'PersistentVolumeClaim', 'LimitRange', 'Endpoints', 'Binding'],
      ...['TopologySelectorTerm', 'TypedLocalObjectReference'],
    ],
  },
  { name: 'apps', path: 'apps/v1', roots: ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ControllerRevision'] },
  { name: 'autoscalingV1', path: 'autoscaling/v1', roots: ['HorizontalPodAutoscaler'] },
  { name: 'autoscaling', path: 'autoscaling/v2', roots: ['HorizontalPodAutoscaler'] },
  { name: 'batch', path: 'batch/v1', roots: ['Job', 'CronJob'] },
  { name: 'discovery', path: 'discovery/v1', roots: ['EndpointSlice'] },
  { name: 'networking', path: 'networking/v1', roots: ['Ingress', 'IngressClass', 'NetworkPolicy', 'IPAddress', 'ServiceCIDR'] },
  { name: 'node', path: 'node/v1', roots: ['RuntimeClass'] },
  { name: 'policy', path: 'policy/v1', roots: ['PodDisruptionBudget', 'Eviction'] },
  { name: 'scheduling', path: 'scheduling/v1', roots: ['PriorityClass'] },
  {
    name: 'storage',
    path: 'storage/v1',
    roots: ['StorageClass', 'VolumeAttachment', 'CSIDriver', 'CSINode', 'CSIStorageCapacity', 'VolumeAttributesClass'],
  },
]

/** Described by hand already, because kinds that are always served have them. */
const BY_HAND = new Set(['LocalObjectReference', 'ObjectReference', 'LoadBalancerStatus', 'LoadBalancerIngress', 'PortStatus'])

const SCALARS = { string: 'string', bool: 'bool', int32: 'int32', int64: 'int64', float64: 'double', '[]byte': 'bytes' }
const WRAPPED = {
  'k8s.io/apimachinery/pkg/apis/meta/v1.Time': 'time',
  'k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime': 'microTime',
  'k8s.io/apimachinery/pkg/api/resource.Quantity': 'quantity',
  'k8s.io/apimachinery/pkg/util/intstr.IntOrString': 'intOrString',
  'k8s.io/apimachinery/pkg/runtime.RawExtension': 'rawExtension',
  'k8s.io/apimachinery/pkg/types.UID': 'string',
  'k8s.io/apimachinery/pkg/types.NodeName': 'string',
}
const META = 'k8s.io/apimachinery/pkg/apis/meta/v1.'
const API = 'k8s.io/api/'

/** The types of one Go package by name: `{ markers, fields }` of a struct, `{ alias }` of anything else. */
function readPackage(root, path) {
  const text = readFileSync(join(root, path, 'types.go'), 'utf8')
  const imports = new Map([...text.matchAll(/^\t(?:(\w+) )?"([^"]+)"$/gm)].map(([, as, from]) => [as ?? from.split('/').at(-1), from]))
  const types = new Map()
  let current
  let comments = []
  for (const line of text.split('\n')) {
    const comment = /^\s*\/\/ ?(.*)$/.exec(line)
    const struct = /^type (\w+) struct \{(\})?$/.exec(line)
    const alias = /^type (\w+) (?!struct|interface)(\S+)$/.exec(line)
    if (comment !== null) comments.push(comment[1])
    else {
      if (struct !== null) {
        types.set(struct[1], (current = { markers: markersOf(comments), fields: [] }))
        if (struct[2] !== undefined) current = undefined
      } else if (alias !== null) types.set(alias[1], { alias: alias[2] })
      else if (line === '}') current = undefined
      else if (current !== undefined) addField(current, line, markersOf(comments))
      // An empty line parts the comment of a type from what stands before it; inside a struct it parts nothing.
      if (line.trim() !== '' || current === undefined) comments = []
    }
  }
  return { path, imports, types }
}

/** `+name=value` lines; a name may be given more than once. */
function markersOf(comments) {
  const markers = new Map()
  for (const [, name, value = ''] of comments.map((line) => /^\+([\w:]+)(?:=(.*))?$/.exec(line.trim())).filter(Boolean))
    markers.set(name, [...(markers.get(name) ?? []), value])
  return markers
}

function addField(struct, line, markers) {
  const match = /^\t(?:(\w+)\s+)?(\S+)\s+`(.*)`(?:\s*\/\/.*)?$/.exec(line)
  if (match === null) return
  const [, , type, tags] = match
  const tag = Object.fromEntries([...tags.matchAll(/(\w+):"([^"]*)"/g)].map(([, key, value]) => [key, value]))
  const [json, ...options] = (tag.json ?? '-').split(',')
  // It travels in the envelope.
  if (type === 'metav1.TypeMeta') struct.typed = true
  if (json === '-' || tag.protobuf === undefined) return
  struct.fields.push({
    json,
    type,
    number: Number(tag.protobuf.split(',')[1]),
    inline: options.includes('inline'),
    omitempty: options.includes('omitempty'),
    patch: tag.patchStrategy && `${tag.patchStrategy}${tag.patchMergeKey === undefined ? '' : `:${tag.patchMergeKey}`}`,
    markers,
  })
}

class Tables {
  #packages = new Map()
  #root
  /** Messages that have been written, as `path.Name`. */
  #written = new Set()

  constructor(root) {
    this.#root = root
  }

  make({ name, path, roots }) {
    const lines = []
    const pending = roots.map((root) => `${path}.${root}`)
    const own = new Map()
    while (pending.length > 0) {
      const next = pending.shift()
      const [at, type] = split(next)
      if (at !== path || this.#written.has(next) || (path === 'core/v1' && BY_HAND.has(type))) continue
      this.#written.add(next)
      own.set(
        type,
        this.#message(path, type, (found) => pending.push(found)),
      )
    }
    for (const type of [...own.keys()].sort()) lines.push(...own.get(type))
    const [group, version] = path.split('/')
    return [
      `/** Made by scripts/kind-tables.mjs from k8s.io/api ${VERSION}; \`../table.ts\` says how to read it. */`,
      `export const ${name}: string = \``,
      `io.k8s.api.${group}.${version}`,
      ...lines,
      '`',
      '',
    ].join('\n')
  }

  #package(path) {
    if (!this.#packages.has(path)) this.#packages.set(path, readPackage(this.#root, path))
    return this.#packages.get(path)
  }

  #message(path, name, refer) {
    const { types } = this.#package(path)
    const { fields, markers, typed } = types.get(name)
    const atomic = markers.get('structType')?.includes('atomic') ? ' atomic' : ''
    const texts = fields.map((field) => this.#field(path, field, refer))
    return [`${name}${typed ? ' typed' : ''}${atomic}`, ...wrapped(texts)]
  }

  #field(path, field, refer) {
    const { markers } = field
    const pointer = field.type.startsWith('*')
    const type = this.#type(path, field.type.replace(/^\*/, ''), refer)
    const required = markers.has('required') || !(markers.has('optional') || field.omitempty)
    const always = !field.omitempty && !pointer
    const flag = field.inline ? '' : required ? (field.omitempty ? '+' : '!') : always ? '~' : ''
    const keys = markers.get('listMapKey')
    const listType = keys === undefined ? markers.get('listType')?.[0] : `key=${keys.join()}`
    const given = this.#default(path, markers.get('default')?.[0])
    return [
      `${field.inline ? '...' : field.json}${flag}`,
      String(field.number),
      `${pointer ? '*' : ''}${type}`,
      ...(given === undefined ? [] : [`=${given}`]),
      ...(type.startsWith('[]') && listType !== undefined ? [listType] : []),
      ...['atomic', 'granular'].filter((how) => [...(markers.get('mapType') ?? []), ...(markers.get('structType') ?? [])].includes(how)),
      ...(field.patch === undefined ? [] : [`patch=${field.patch}`]),
    ].join(' ')
  }

  /** As JSON. Constants are named by `ref(Name)`. */
  #default(path, text) {
    const name = /^ref\((\w+)\)$/.exec(text ?? '')?.[1]
    if (name === undefined) return text
    const source = readFileSync(join(this.#root, path, 'types.go'), 'utf8')
    return new RegExp(`^\\t${name}\\s+\\w+\\s*=\\s*("[^"]*")`, 'm').exec(source)[1]
  }

  #type(path, type, refer) {
    if (type in SCALARS) return SCALARS[type]
    if (type.startsWith('[]')) return `[]${this.#type(path, type.slice(2).replace(/^\*/, ''), refer)}`
    const map = /^map\[\w+\](.+)$/.exec(type)
    if (map !== null) return `{}${this.#type(path, map[1], refer)}`
    const { imports, types } = this.#package(path)
    const [prefix, foreign] = type.split('.')
    if (foreign === undefined) {
      const local = types.get(type)
      if (local === undefined) throw new Error(`${path} has no type ${type}`)
      if (local.alias !== undefined) return this.#type(path, local.alias, refer)
      refer(`${path}.${type}`)
      return type
    }
    const full = `${imports.get(prefix)}.${foreign}`
    if (full in WRAPPED) return WRAPPED[full]
    if (full.startsWith(META)) return `meta.${foreign}`
    if (!full.startsWith(API)) throw new Error(`${path} has a field of type ${full}, which nobody knows`)
    const [home, name] = split(full.slice(API.length))
    if (this.#package(home).types.get(name)?.alias !== undefined) return this.#type(home, name, refer)
    return `${home.split('/')[0]}.${name}`
  }
}

const split = (full) => [full.slice(0, full.lastIndexOf('.')), full.slice(full.lastIndexOf('.') + 1)]

/** Fields side by side, as many as a line holds. */
function wrapped(texts) {
  const lines = []
  for (const text of texts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + text.length + 2 <= 136) lines[lines.length - 1] = `${last}; ${text}`
    else lines.push(`  ${text}`)
  }
  return lines
}

/** The tables by file name, or undefined where the module is not there. */
export function makeTables(version = VERSION) {
  let cache
  try {
    cache = execFileSync('go', ['env', 'GOMODCACHE'], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return undefined
  }
  const root = join(cache, 'k8s.io', `api@${version}`)
  if (!existsSync(root)) return undefined
  const tables = new Tables(root)
  return new Map(FILES.map((file) => [`${file.name.replace('V1', '-v1')}.ts`, tables.make(file)]))
}

export const writtenTables = () => new Map(readdirSync(target).map((name) => [name, readFileSync(join(target, name), 'utf8')]))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tables = makeTables(process.argv[2])
  if (tables === undefined) throw new Error('k8s.io/api is not in the cache of Go modules: go mod download in test/kubernetes brings it')
  mkdirSync(target, { recursive: true })
  for (const [name, text] of tables) writeFileSync(join(target, name), text)
  console.log(`${tables.size} tables`)
}
