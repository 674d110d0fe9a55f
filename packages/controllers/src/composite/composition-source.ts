import { formatFieldErrors, formatGroupKind, gvkOf, type GroupKind, type KubeObject, parseGroupVersion } from '@weft/api'
import { parseTemplateSource, type Parsed, type TemplateSource } from '@weft/composition'
import { CompositeError } from './composite-error.ts'

/** Parsed once per revision of a Composition: answers are shared objects, so the object itself is the key. */
const parsed = new WeakMap<KubeObject, Parsed<TemplateSource>>()

export function parseComposition(composition: KubeObject): Parsed<TemplateSource> {
  let source = parsed.get(composition)
  if (source === undefined) parsed.set(composition, (source = parseTemplateSource(composition)))
  return source
}

/** C19: is this Composition for that kind? By group and kind (X4). */
export function isFor(composition: KubeObject, kind: GroupKind): boolean {
  const source = parseComposition(composition)
  const intent = source.ok ? source.value.intent : undefined
  return intent !== undefined && intent.kind === kind.kind && parseGroupVersion(intent.apiVersion).group === kind.group
}

/** The templates of a Composition that is for `composite`; a CompositeError says why it cannot be used. */
export function templatesFor(composition: KubeObject, composite: KubeObject): TemplateSource {
  const source = parseComposition(composition)
  const name = composition.metadata.name ?? ''
  if (!source.ok) throw new CompositeError('CompositionUnusable', `Composition ${name} cannot be used: ${formatFieldErrors(source.error)}`)
  const kind = gvkOf(composite)
  if (isFor(composition, kind)) return source.value
  const intent = source.value.intent
  const other =
    intent === undefined ? 'another kind' : formatGroupKind({ group: parseGroupVersion(intent.apiVersion).group, kind: intent.kind })
  throw new CompositeError('CompositionUnusable', `Composition ${name} is for ${other}, not for ${formatGroupKind(kind)}`)
}
