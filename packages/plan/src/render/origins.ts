import { deepEqual, getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { describeInput, formatFieldPath, parseFieldPath, type Patch, type Provenance, type Segment } from '@weft/composition'
import type { FieldOrigin } from './rendering.ts'

export interface OriginSources {
  /** What patches started from, and what to call it. */
  readonly base?: { readonly object: unknown; readonly from: string }
  /** Patches in the order in which they were applied; the last that wrote a path counts. */
  readonly written?: readonly Provenance[]
  /** What to put before the origin of a patch: `Composition/private`. */
  readonly owner?: string
  /** Before the schema of its kind filled in defaults. */
  readonly rendered: KubeObject
  /** Machinery, by the path it begins with; the longest counts. */
  readonly machinery: Readonly<Record<string, string>>
}

/** Where every leaf of an object comes from. */
export function originsOf(object: KubeObject, { base, written = [], owner, rendered, machinery }: OriginSources): readonly FieldOrigin[] {
  const patches = written.flatMap(({ path, patch }) => {
    const parsed = parseFieldPath(path)
    return parsed.ok ? [{ segments: parsed.value.segments, patch }] : []
  })
  return leavesOf(object).map(({ segments, value }) => {
    const path = formatFieldPath(segments)
    if (at(rendered, segments) === undefined) return { path, from: 'the default of its schema' }
    const patch = patches.findLast((each) => startsWith(segments, each.segments))?.patch
    const told = machineryOf(path, machinery)
    // Machinery is set after the patches, so that neither base nor patch can forge it.
    if (told !== undefined) return { path, from: told }
    if (patch !== undefined) return { path, from: describePatch(patch, owner) }
    if (base !== undefined && deepEqual(at(base.object, segments), value)) return { path, from: base.from }
    return { path, from: 'Weft' }
  })
}

export function describePatch(patch: Patch, owner = ''): string {
  const transforms = patch.transforms.length === 0 ? '' : ` (${patch.transforms.map(({ type }) => type).join(', ')})`
  const set = patch.patchSet === undefined ? '' : ` of patch set ${patch.patchSet}`
  return `${owner === '' ? '' : `${owner} `}${patch.origin}${set}: ${describeInput(patch.input)} → ${patch.toFieldPath.text}${transforms}`
}

interface Leaf {
  readonly segments: readonly Segment[]
  readonly value: unknown
}

function leavesOf(value: unknown, segments: readonly Segment[] = []): readonly Leaf[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item: unknown, i) => leavesOf(item, [...segments, i]))
  if (isJsonObject(value) && Object.keys(value).length > 0)
    return Object.keys(value).flatMap((key) =>
      segments.length === 0 && isIdentity(key) ? [] : leavesOf(getOwn(value, key), [...segments, key]),
    )
  return [{ segments, value }]
}

/** Nobody asks where a kind comes from. */
const isIdentity = (key: string): boolean => key === 'apiVersion' || key === 'kind'

const startsWith = (path: readonly Segment[], prefix: readonly Segment[]): boolean =>
  prefix.length <= path.length && prefix.every((segment, i) => path[i] === segment)

function at(value: unknown, segments: readonly Segment[]): unknown {
  let here = value
  for (const segment of segments) {
    if (typeof segment === 'number') here = Array.isArray(here) ? (here[segment] as unknown) : undefined
    else here = isJsonObject(here) && typeof segment === 'string' ? getOwn(here, segment) : undefined
  }
  return here
}

function machineryOf(path: string, machinery: Readonly<Record<string, string>>): string | undefined {
  const prefixes = Object.keys(machinery).filter(
    (prefix) => path === prefix || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`),
  )
  const [longest] = prefixes.toSorted((a, b) => b.length - a.length)
  return longest === undefined ? undefined : machinery[longest]
}
