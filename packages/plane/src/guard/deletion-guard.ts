import { forbidden, type KubeObject, parseGroupVersion, type StatusError } from '@weft/api'
import { CONFIRM_DELETION, confirmedCount, type Doomed, doomedBy } from '@weft/controllers'
import type { Existing } from './existing.ts'
import { isPackage, refusePackageDeletion } from './package-guard.ts'

/** What deletes by itself what nobody owns any more. The deletion of the owner was the decision. */
export const COLLECTORS: ReadonlySet<string> = new Set([
  'system:apiserver',
  'system:kube-controller-manager',
  'system:serviceaccount:kube-system:generic-garbage-collector',
])

/**
 * Deletions that take others along have to be confirmed by their number: a publication takes every requirement of every team, a definition
 * every instance with its data, a package all that its kinds stand for. Answers why not, with the command that confirms it.
 */
export function refuseDeletion(
  object: KubeObject,
  { username, plural }: { readonly username: string; readonly plural: string },
  existing: Existing,
): StatusError | undefined | Promise<StatusError | undefined> {
  if (COLLECTORS.has(username) || object.metadata.deletionTimestamp !== undefined) return undefined
  if (isPackage(object)) return refusePackageDeletion(object, plural, existing)
  const doomed = doomedBy(object, (name) => existing.definition(name))
  if (doomed === undefined) return undefined
  const objects = existing.objects(doomed.kind)
  const judge = (found: readonly KubeObject[]): StatusError | undefined => refusal(object, plural, { doomed, found })
  return objects instanceof Promise ? objects.then(judge) : judge(objects)
}

function refusal(
  object: KubeObject,
  plural: string,
  { doomed, found }: { readonly doomed: Doomed; readonly found: readonly KubeObject[] },
): StatusError | undefined {
  const { matches = () => true, effect, kind } = doomed
  const count = found.filter((each) => each.metadata.deletionTimestamp === undefined && matches(each)).length
  if (count <= confirmedCount(object)) return undefined
  const { name = '' } = object.metadata
  const { group } = parseGroupVersion(object.apiVersion)
  const what = `${count} ${kind.kind}${count === 1 ? '' : 's'} (${kind.group})`
  const why =
    effect === 'deletes'
      ? `this would delete ${what} and everything created for ${count === 1 ? 'it' : 'them'}`
      : `${what} ${count === 1 ? 'is' : 'are'} composed by it, and could no longer be changed: delete or move ${count === 1 ? 'it' : 'them'} first`
  return forbidden(
    { group, resource: plural, name },
    `it is in use: ${why}. To delete it anyway: kubectl annotate --overwrite ${plural}.${group} ${name} ${CONFIRM_DELETION}=${count}, then delete it again`,
  )
}
