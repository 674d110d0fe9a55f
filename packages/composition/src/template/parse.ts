import { childPath, field, getOwn, isJsonObject, type JsonObject } from '@weft/api'
import { readConnectionDetails } from '../connection/detail.ts'
import { asObject, type Errors, optionalObject, optionalStringMap, requiredObject, requiredString } from '../document.ts'
import { CONNECTION_SECRET_PREFIX } from '../naming/annotations.ts'
import { patchesOf } from '../normalise/class.ts'
import { type PatchSets, readPatches } from '../patches/parse.ts'
import { readReadinessChecks } from '../readiness/check.ts'
import type { ComposedTemplate, TemplateBase } from './template.ts'

export interface TemplateContext {
  readonly path: string
  readonly errors: Errors
  readonly identity: string
  readonly patchSets?: PatchSets
}

/** Reads one `{base, patches, connectionDetails, readinessChecks}` entry. */
export function readTemplate(
  raw: unknown,
  { path, errors, identity, patchSets = new Map() }: TemplateContext,
): ComposedTemplate | undefined {
  const entry = asObject(raw, path, errors)
  if (entry === undefined) return undefined
  if (getOwn(entry, 'template') !== undefined) {
    const why = 'opaque templates are not supported: write the resource as `base` and what differs as `patches`'
    errors.push(field.forbidden(childPath(path, 'template'), why))
    return undefined
  }
  const base = readBase(entry, path, errors)
  const patches = patchesOf(entry)
  if (patches.name === 'patches' && getOwn(entry, 'patch') !== undefined)
    errors.push(field.forbidden(childPath(path, 'patch'), 'may not be set together with patches'))
  const template = {
    identity,
    origin: path,
    patches: readPatches(patches.value, { path: childPath(path, patches.name), patchSets, errors }),
    connectionDetails: readConnectionDetails(getOwn(entry, 'connectionDetails'), childPath(path, 'connectionDetails'), errors),
    readinessChecks: readReadinessChecks(getOwn(entry, 'readinessChecks'), childPath(path, 'readinessChecks'), errors),
  }
  return base && { ...template, base, ...requestedNamespace(entry), ...keyPrefixOf(base) }
}

function readBase(entry: JsonObject, path: string, errors: Errors): TemplateBase | undefined {
  const at = childPath(path, 'base')
  const base = requiredObject(entry, 'base', path, errors)
  if (base === undefined) return undefined
  const apiVersion = requiredString(base, 'apiVersion', at, errors)
  const kind = requiredString(base, 'kind', at, errors)
  const metadata = optionalObject(base, 'metadata', at, errors) ?? {}
  const labels = optionalStringMap(metadata, 'labels', childPath(at, 'metadata'), errors)
  const annotations = optionalStringMap(metadata, 'annotations', childPath(at, 'metadata'), errors)
  if (apiVersion === undefined || kind === undefined) return undefined
  return { ...base, apiVersion, kind, metadata: { ...(labels && { labels }), ...(annotations && { annotations }) } }
}

function requestedNamespace(entry: JsonObject): { requestedNamespace?: string } {
  const base = getOwn(entry, 'base')
  const metadata = isJsonObject(base) ? getOwn(base, 'metadata') : undefined
  const namespace = isJsonObject(metadata) ? getOwn(metadata, 'namespace') : undefined
  return typeof namespace === 'string' && namespace !== '' ? { requestedNamespace: namespace } : {}
}

/** A21: the annotation travels with the base to the member; its meaning belongs to the template. */
export function keyPrefixOf(base: TemplateBase): { keyPrefix?: string } {
  const prefix = isJsonObject(base.metadata.annotations) ? getOwn(base.metadata.annotations, CONNECTION_SECRET_PREFIX) : undefined
  return typeof prefix === 'string' && prefix !== '' ? { keyPrefix: prefix } : {}
}
