import { parseExactJson } from '../value/exact-json.ts'
import { exactJson } from '../value/exact-json-text.ts'
import { Decimal } from '../value/decimal.ts'
import { type StateFile, StateFileError, type StateResource } from './state-file.ts'

type Tree = ReadonlyMap<string, unknown>

/** Reads the text of a state file. Throws StateFileError. */
export function readStateFile(text: string): StateFile {
  let root: unknown
  try {
    root = parseExactJson(text.replace(/^\u{feff}/u, ''))
  } catch (cause) {
    throw new StateFileError('it is not JSON', { cause })
  }
  if (!isTree(root)) throw new StateFileError('it is not a state: the outermost value must be an object')
  if (root.has('format_version')) return readShown(root)
  const version = numberAt(root, 'version')
  if (version === undefined) throw new StateFileError('it is neither a terraform.tfstate nor the output of `tofu show -json`')
  if (root.has('encrypted_data')) throw new StateFileError('it is encrypted: give the output of `tofu show -json` instead')
  if (version !== 4)
    throw new StateFileError(
      `it is a state of version ${version}, and only version 4 is understood: have a current tofu or terraform write it again`,
    )
  return readStored(root)
}

/** `terraform.tfstate`, version 4. */
function readStored(root: Tree): StateFile {
  const left: string[] = []
  const resources: StateResource[] = []
  for (const resource of treesAt(root, 'resources')) {
    const [mode, type, name, module] = ['mode', 'type', 'name', 'module'].map((key) => textAt(resource, key))
    const within = module === undefined ? [] : moduleWords(module)
    const base = `${module === undefined ? '' : `${module}.`}${mode === 'data' ? 'data.' : ''}${type ?? ''}.${name ?? ''}`
    if (mode !== 'managed') {
      left.push(notManaged(base, mode))
      continue
    }
    const provider = providerOf(textAt(resource, 'provider') ?? '')
    for (const instance of treesAt(resource, 'instances')) {
      const index = instance.get('index_key')
      const address = `${base}${indexText(index)}`
      if (textAt(instance, 'deposed') !== undefined) {
        left.push(`${address} has an object that was to be deleted after its replacement (deposed): delete it with tofu first`)
        continue
      }
      const attributes = instance.get('attributes')
      if (!isTree(attributes)) {
        left.push(`${address} is kept in the form of Terraform before 0.12: have a current tofu or terraform write it again`)
        continue
      }
      const identity = instance.get('identity')
      resources.push({
        address,
        type: type ?? '',
        words: [...within, name ?? '', ...indexWords(index)],
        provider: provider.source,
        alias: instance.has('provider') ? providerOf(textAt(instance, 'provider') ?? '').alias : provider.alias,
        schemaVersion: numberAt(instance, 'schema_version') ?? 0,
        json: exactJson(attributes),
        form: 'stored',
        private: Buffer.from(textAt(instance, 'private') ?? '', 'base64'),
        identity: isTree(identity) ? { version: numberAt(instance, 'identity_schema_version') ?? 0, json: exactJson(identity) } : undefined,
        tainted: textAt(instance, 'status') === 'tainted',
      })
    }
  }
  return { lineage: textAt(root, 'lineage'), resources, left }
}

/** `tofu show -json`: of a state, or of a plan, of which it is the state before. */
function readShown(root: Tree): StateFile {
  const prior = root.get('prior_state')
  const values = root.get('values') ?? (isTree(prior) ? prior.get('values') : undefined)
  const left: string[] = []
  const resources: StateResource[] = []
  const visit = (module: Tree): void => {
    const address = textAt(module, 'address')
    const within = address === undefined ? [] : moduleWords(address)
    for (const resource of treesAt(module, 'resources')) {
      const whole = textAt(resource, 'address') ?? ''
      const mode = textAt(resource, 'mode')
      const attributes = resource.get('values')
      if (mode !== 'managed') left.push(notManaged(whole, mode))
      else if (textAt(resource, 'deposed_key') !== undefined)
        left.push(`${whole} has an object that was to be deleted after its replacement (deposed): delete it with tofu first`)
      else if (!isTree(attributes)) left.push(`${whole} has no values`)
      else
        resources.push({
          address: whole,
          type: textAt(resource, 'type') ?? '',
          words: [...within, textAt(resource, 'name') ?? '', ...indexWords(resource.get('index'))],
          provider: textAt(resource, 'provider_name') ?? '',
          alias: undefined,
          schemaVersion: numberAt(resource, 'schema_version') ?? 0,
          json: exactJson(attributes),
          form: 'plain',
          private: new Uint8Array(),
          identity: undefined,
          tainted: resource.get('tainted') === true,
        })
    }
    for (const child of treesAt(module, 'child_modules')) visit(child)
  }
  const top = isTree(values) ? values.get('root_module') : undefined
  if (isTree(top)) visit(top)
  return { lineage: undefined, resources, left }
}

const notManaged = (address: string, mode: string | undefined): string =>
  mode === 'data'
    ? `${address} is a data source: it is looked up, not managed, and not imported`
    : `${address} is ${mode === undefined ? 'of no mode' : `of mode ${mode}`}, and not imported`

/** `module.net["a.b"].module.inner` → net, a.b, inner */
function moduleWords(address: string): readonly string[] {
  const words: string[] = []
  for (const [, name = '', , text, number] of address.matchAll(/(?:^|\.)module\.([^.[]+)(\[(?:"((?:[^"\\]|\\.)*)"|(\d+))\])?/g)) {
    words.push(name)
    if (text !== undefined) words.push(text)
    if (number !== undefined) words.push(number)
  }
  return words
}

/** `provider["registry.opentofu.org/hashicorp/aws"].west`, or with modules before it. */
function providerOf(text: string): { readonly source: string; readonly alias: string | undefined } {
  const [, source = text, alias] = /provider\["([^"]+)"\](?:\.([^.[]+))?/.exec(text) ?? []
  return { source, alias }
}

const indexText = (index: unknown): string =>
  index === undefined || index === null ? '' : index instanceof Decimal ? `[${index.toString()}]` : `[${JSON.stringify(index)}]`
const indexWords = (index: unknown): readonly string[] =>
  index === undefined || index === null ? [] : [index instanceof Decimal ? index.toString() : String(index)]

const isTree = (value: unknown): value is Tree => value instanceof Map
const treesAt = (tree: Tree, key: string): readonly Tree[] => {
  const found = tree.get(key)
  return Array.isArray(found) ? found.filter(isTree) : []
}
const textAt = (tree: Tree, key: string): string | undefined => {
  const found = tree.get(key)
  return typeof found === 'string' && found !== '' ? found : undefined
}
const numberAt = (tree: Tree, key: string): number | undefined => {
  const found = tree.get(key)
  return found instanceof Decimal ? Number(found.toString()) : undefined
}
