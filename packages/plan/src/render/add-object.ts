import { formatGroupKind, gvkOf, type KubeObject } from '@weft/api'
import type { SkippedPatch } from '@weft/composition'
import { describePatch, originsOf, type OriginSources } from './origins.ts'
import { withPlaceholderUid } from './placeholders.ts'
import type { Draft } from './rendering.ts'

/** Puts an object into the rendering, as the server would store it, and answers it with the uid by which others refer to it. */
export function addObject(draft: Draft, rendered: KubeObject, sources: Omit<OriginSources, 'rendered'>): KubeObject {
  const { object, dropped } = draft.known.kinds.settle(rendered)
  const name = `${rendered.kind}/${rendered.metadata.name ?? ''}`
  for (const path of dropped) draft.notes.add(`${name}: ${path} is dropped, because ${formatGroupKind(gvkOf(rendered))} has no such field`)
  if (isUnknown(draft, rendered))
    draft.notes.add(`nothing defines ${formatGroupKind(gvkOf(rendered))}: its fields are neither checked nor defaulted`)
  draft.objects.push({ object, origins: originsOf(object, { ...sources, rendered }) })
  return withPlaceholderUid(object)
}

/** Kinds of Kubernetes itself need no definition. */
function isUnknown({ known }: Draft, object: KubeObject): boolean {
  const { group, kind } = gvkOf(object)
  return group.includes('.') && !group.endsWith('.k8s.io') && known.kinds.find({ group, kind }) === undefined
}

export function noteSkipped(draft: Draft, object: KubeObject, skipped: readonly SkippedPatch[], owner: string): void {
  for (const { patch, missing } of skipped)
    draft.notes.add(`${object.kind}/${object.metadata.name ?? ''}: ${describePatch(patch, owner)} does nothing: there is no ${missing}`)
}
