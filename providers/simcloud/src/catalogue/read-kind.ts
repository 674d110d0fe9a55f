import type { JsonValue } from '@weft/api'
import type { DataNode } from './data-node.ts'
import {
  DELAY_CLASSES,
  type Detail,
  FIELD_TYPES,
  type FieldRule,
  GENERATORS,
  type ParentRule,
  type SimulatedKind,
} from './simulated-kind.ts'
import { hasStrayBrace, variablesOf } from './template.ts'

export const API_VERSION = 'simcloud.weft.dev/v1alpha1'

const SPEC_KEYS = ['cloud', 'kind', 'managed', 'unique', 'maxNameLength', 'delay', 'quota', 'fields', 'parents', 'outputs', 'connection']

/** Reads one document of `simcloud/kinds/`. Throws DataFileError. */
export function readKind(document: DataNode): SimulatedKind {
  document.object(['apiVersion', 'kind', 'metadata', 'spec'])
  document.get('apiVersion').oneOf([API_VERSION])
  document.get('kind').oneOf(['SimulatedKind'])
  const spec = document.get('spec').object(SPEC_KEYS)
  const cloud = pathSegment(spec.get('cloud'))
  const kind = pathSegment(spec.get('kind'))
  const name = document.get('metadata').object(['name']).get('name')
  if (name.string() !== `${kind}.${cloud}`) name.fail(`must be ${kind}.${cloud} (the kind and the cloud)`)
  const outputs = readDetails(spec.get('outputs'), { outputs: [] })
  return {
    cloud,
    kind,
    managed: spec.get('managed').list().map(readManaged),
    unique: spec.get('unique').oneOf(['Account', 'Cloud'], 'Account'),
    maxNameLength: spec.get('maxNameLength').integer(128, 1),
    delay: spec.get('delay').oneOf(DELAY_CLASSES),
    quota: spec.get('quota').integer(1000, 0),
    fields: unique(spec.get('fields').optionalList(), readField, ({ path }) => path),
    parents: unique(spec.get('parents').optionalList(), readParent, ({ field }) => field),
    outputs,
    connection: readDetails(spec.get('connection'), { outputs: outputs.map(({ name }) => name), connection: [] }),
  }
}

const readManaged = (node: DataNode): { group: string; kind: string } => {
  node.object(['group', 'kind'])
  return { group: node.get('group').string(), kind: node.get('kind').string() }
}

function readField(node: DataNode): FieldRule {
  node.object(['path', 'type', 'required', 'immutable', 'default', 'enum', 'minimum', 'maximum'])
  const [minimum, maximum] = [node.get('minimum').optionalNumber(), node.get('maximum').optionalNumber()]
  const rule: FieldRule = {
    path: fieldPath(node.get('path')),
    type: node.get('type').oneOf(FIELD_TYPES),
    required: node.get('required').boolean(false),
    immutable: node.get('immutable').boolean(false),
    ...(node.get('default').present && { default: node.get('default').json() }),
    ...(node.get('enum').present && {
      enum: node
        .get('enum')
        .list()
        .map((item): JsonValue => item.json()),
    }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  }
  if (rule.required && rule.default !== undefined) node.get('default').fail('makes no sense on a required field')
  return rule
}

function readParent(node: DataNode): ParentRule {
  node.object(['field', 'kinds', 'required', 'existing'])
  const kinds = node.get('kinds')
  const names = kinds.list().map((item) => item.string())
  if (names.length === 0) kinds.fail('must name at least one kind')
  return {
    field: fieldPath(node.get('field')),
    kinds: names,
    required: node.get('required').boolean(false),
    existing: node
      .get('existing')
      .optionalList()
      .map((item) => item.string()),
  }
}

interface Known {
  readonly outputs: readonly string[]
  readonly connection?: readonly string[]
}

/** Details may use those before them; `known` says what there is besides. */
function readDetails(node: DataNode, known: Known): Detail[] {
  const details: Detail[] = []
  for (const item of node.optionalList()) {
    const before = details.map(({ name }) => name)
    const detail = readDetail(item, known.connection === undefined ? { outputs: before } : { ...known, connection: before })
    if (before.includes(detail.name)) item.get('name').fail(`is there twice: ${detail.name}`)
    details.push(detail)
  }
  return details
}

function readDetail(node: DataNode, known: Known): Detail {
  node.object(['name', 'description', 'template', 'generate', 'choose', 'whenReady', 'rotates'])
  const value = readValue(node, known)
  const rotates = node.get('rotates').boolean(value.type === 'generate' && value.generator === 'password')
  return {
    name: node.get('name').string(),
    description: node.get('description').optionalString() ?? '',
    value,
    whenReady: node.get('whenReady').boolean(false),
    rotates,
  }
}

function readValue(node: DataNode, known: Known): Detail['value'] {
  const [template, generate, choose] = [node.get('template'), node.get('generate'), node.get('choose')]
  if ([template, generate, choose].filter(({ present }) => present).length !== 1)
    node.fail('needs exactly one of template, generate and choose')
  if (template.present) return { type: 'template', template: checkedTemplate(template, known) }
  if (generate.present) return { type: 'generate', generator: generate.oneOf(GENERATORS) }
  choose.object(['field', 'prefixes', 'otherwise'])
  const prefixes = choose.get('prefixes').object()
  return {
    type: 'choose',
    field: fieldPath(choose.get('field')),
    prefixes: Object.keys(prefixes.value as object).map((prefix) => [prefix, prefixes.get(prefix).string()] as const),
    otherwise: choose.get('otherwise').string(),
  }
}

function checkedTemplate(node: DataNode, known: Known): string {
  const template = node.string()
  if (hasStrayBrace(template)) node.fail('has a brace that belongs to no variable; write {{ or }} for a brace')
  for (const variable of variablesOf(template)) if (!isKnown(variable, known)) node.fail(`uses {${variable}}, which is not known here`)
  return template
}

function isKnown(variable: string, { outputs, connection }: Known): boolean {
  if (['name', 'account', 'id', 'shortId'].includes(variable)) return true
  const dot = variable.indexOf('.')
  const rest = variable.slice(dot + 1)
  switch (variable.slice(0, Math.max(dot, 0))) {
    case 'parameters':
      return rest !== ''
    case 'outputs':
      return outputs.includes(rest)
    case 'connection':
      return connection?.includes(rest) ?? false
    default:
      return false
  }
}

function unique<T>(nodes: readonly DataNode[], read: (node: DataNode) => T, keyOf: (item: T) => string): T[] {
  const seen = new Set<string>()
  return nodes.map((node) => {
    const item = read(node)
    const key = keyOf(item)
    if (seen.has(key)) node.fail(`is there twice: ${key}`)
    seen.add(key)
    return item
  })
}

function pathSegment(node: DataNode): string {
  const value = node.string()
  if (!/^[a-z][a-z0-9-]*$/.test(value)) node.fail('must consist of lower case letters, digits and dashes, and begin with a letter')
  return value
}

function fieldPath(node: DataNode): string {
  const value = node.string()
  if (!/^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z][A-Za-z0-9]*)*$/.test(value))
    node.fail(`must be a dotted path of names; it is ${JSON.stringify(value)}`)
  return value
}
