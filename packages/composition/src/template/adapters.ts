import { childPath, field, getOwn, isJsonObject, type JsonObject, type KubeObject, parseGroupVersion } from '@weft/api'
import { duplicateDetails } from '../connection/collect.ts'
import { type Errors, optionalList, optionalString, type Parsed, parsed, requiredObject, requiredString } from '../document.ts'
import { type PatchSets, readPatchSets } from '../patches/parse.ts'
import { readTemplate } from './parse.ts'
import type { ComposedTemplate, TemplateSource } from './template.ts'

/** Turns the spec of one kind of document into templates. A new kind of template source is one more of these. */
export interface TemplateAdapter {
  readonly group: string
  readonly kind: string
  read(spec: JsonObject, errors: Errors): TemplateSource | undefined
}

/** 001: one template for exactly one kind of claim (F3, F5). */
const resourceClass: TemplateAdapter = {
  group: 'infrastructure.crossplane.io',
  kind: 'ResourceClass',
  read(spec, errors) {
    const intent = readIntent(spec, 'claim', errors)
    const template = readTemplate(getOwn(spec, 'resource'), { path: 'spec.resource', errors, identity: '0' })
    return intent && template && { intent, templates: [template] }
  },
}

/** 001: N templates, N members (F5). */
const compositeResourceClass: TemplateAdapter = {
  group: 'infrastructure.crossplane.io',
  kind: 'CompositeResourceClass',
  read(spec, errors) {
    const intent = readIntent(spec, 'claim', errors)
    const templates = readTemplates(spec, 'resources', { errors, identify: byIndex })
    return intent && { intent, templates }
  },
}

/** 002: `from` and `to`; or, where a document has the later shape, `compositeTypeRef` and `resources` identified by name. */
const composition: TemplateAdapter = {
  group: 'apiextensions.crossplane.io',
  kind: 'Composition',
  read(spec, errors) {
    const mode = optionalString(spec, 'mode', 'spec', errors)
    // A version of the kind that knows pipelines writes their mode on what has templates, too.
    if (mode !== undefined && mode !== 'Resources' && getOwn(spec, 'to') === undefined) {
      errors.push(field.notSupported('spec.mode', mode, ['Resources']))
      return undefined
    }
    const secretNamespace = optionalString(spec, 'writeConnectionSecretsToNamespace', 'spec', errors)
    const patchSets = readPatchSets(getOwn(spec, 'patchSets'), 'spec.patchSets', errors)
    const later =
      getOwn(spec, 'to') === undefined && (getOwn(spec, 'resources') !== undefined || getOwn(spec, 'compositeTypeRef') !== undefined)
    const intent = readIntent(spec, later ? 'compositeTypeRef' : 'from', errors)
    const templates = readTemplates(spec, later ? 'resources' : 'to', {
      errors,
      patchSets,
      identify: later ? byName(spec, errors) : byIndex,
    })
    return intent && { intent, templates, ...(secretNamespace !== undefined && { secretNamespace }) }
  },
}

export const TEMPLATE_ADAPTERS: readonly TemplateAdapter[] = [resourceClass, compositeResourceClass, composition]

/**
 * Reads a class or a Composition into templates. All that is wrong is answered at once. Group and kind choose the adapter, not the
 * version (X4).
 */
export function parseTemplateSource(object: KubeObject, adapters: readonly TemplateAdapter[] = TEMPLATE_ADAPTERS): Parsed<TemplateSource> {
  const errors: Errors = []
  const { group } = parseGroupVersion(object.apiVersion)
  const adapter = adapters.find((candidate) => candidate.group === group && candidate.kind === object.kind)
  if (adapter === undefined) {
    const kinds = adapters.map((known) => `${known.kind}.${known.group}`)
    return { ok: false, error: [field.notSupported('kind', `${object.kind}.${group}`, kinds)] }
  }
  const spec = requiredObject(object as unknown as JsonObject, 'spec', '', errors)
  const source = spec && adapter.read(spec, errors)
  if (source !== undefined) errors.push(...duplicateDetails(source.templates))
  return parsed(source, errors)
}

type Identify = (raw: unknown, index: number) => string

const byIndex: Identify = (_raw, index) => String(index)

/** Names are all or nothing: a list where only some are named could not be told apart from one that was reordered. */
function byName(spec: JsonObject, errors: Errors): Identify {
  const entries = getOwn(spec, 'resources')
  const names = (Array.isArray(entries) ? entries : []).map((entry: unknown) => (isJsonObject(entry) ? getOwn(entry, 'name') : undefined))
  const named = names.some((name) => name !== undefined)
  const seen = new Set<unknown>()
  names.forEach((name, i) => {
    const path = `spec.resources[${i}].name`
    if (named && (typeof name !== 'string' || name === '')) errors.push(field.required(path, 'name every resource or none'))
    else if (seen.has(name) && named) errors.push(field.duplicate(path, name))
    seen.add(name)
  })
  return (_raw, index) => (named ? String(names[index]) : String(index))
}

function readIntent(spec: JsonObject, name: string, errors: Errors): TemplateSource['intent'] {
  const path = childPath('spec', name)
  const ref = requiredObject(spec, name, 'spec', errors)
  const apiVersion = ref && requiredString(ref, 'apiVersion', path, errors)
  const kind = ref && requiredString(ref, 'kind', path, errors)
  return apiVersion === undefined || kind === undefined ? undefined : { apiVersion, kind }
}

function readTemplates(
  spec: JsonObject,
  name: string,
  { errors, patchSets, identify }: { errors: Errors; patchSets?: PatchSets; identify: Identify },
): readonly ComposedTemplate[] {
  const path = childPath('spec', name)
  const before = errors.length
  const entries = optionalList(spec, name, 'spec', errors)
  if ((entries === undefined || entries.length === 0) && errors.length === before)
    errors.push(field.required(path, 'at least one resource'))
  return (entries ?? [])
    .map((raw, i) => readTemplate(raw, { path: `${path}[${i}]`, errors, identity: identify(raw, i), ...(patchSets && { patchSets }) }))
    .filter((template) => template !== undefined)
}
