import { deepEqual, getOwn, isJsonObject, isReference, type KubeObject, setOwn, withMeta } from '@weft/api'
import { formatFieldPath, type Segment } from '@weft/composition'
import { alignLists, type ElementKey } from './align-lists.ts'
import { isBookkeeping } from './bookkeeping.ts'
import type { FieldChange } from './plan.ts'

/** What the server fills in, and finalizers, which are nobody's wish. */
const SERVER_FIELDS = {
  uid: undefined,
  resourceVersion: undefined,
  generation: undefined,
  creationTimestamp: undefined,
  deletionTimestamp: undefined,
  deletionGracePeriodSeconds: undefined,
  managedFields: undefined,
  selfLink: undefined,
  finalizers: undefined,
} as const

/** An object as its authors see it: what somebody wants, not what was observed or filled in. */
export function wishOf(object: KubeObject): KubeObject {
  const { status: _observed, ...rest } = withMeta(object, SERVER_FIELDS) as KubeObject & { readonly status?: unknown }
  return rest as KubeObject
}

/** On the way to a field; an element of a list whose elements have names goes by that. */
type Step = Segment | ElementKey

/** Every field that differs, down to single values, elements of lists and references to objects. A list that is emptied is one change. */
export function fieldChanges(before: unknown, after: unknown, steps: readonly Step[] = []): readonly FieldChange[] {
  if (deepEqual(before, after)) return []
  if (isJsonObject(before) && isJsonObject(after) && !(isReference(before) && isReference(after))) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
    return keys.flatMap((key) => fieldChanges(getOwn(before, key), getOwn(after, key), [...steps, key]))
  }
  if (Array.isArray(before) && Array.isArray(after) && after.length > 0)
    return alignLists(before, after).flatMap(({ before: was, after: is, key }) =>
      fieldChanges(was === undefined ? undefined : before[was], is === undefined ? undefined : after[is], [
        ...steps,
        key ?? is ?? was ?? 0,
      ]),
    )
  if (before === undefined && isContainer(after) && !isReference(after)) return fieldChanges(Array.isArray(after) ? [] : {}, after, steps)
  return [
    {
      path: formatSteps(steps),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      ...(isBookkeeping(steps.map((step) => (typeof step === 'object' ? 0 : step))) && { bookkeeping: true }),
    },
  ]
}

/** `spec.rules[name=web].port` */
function formatSteps(steps: readonly Step[]): string {
  const at = steps.findIndex((step) => typeof step === 'object')
  const key = steps[at]
  if (typeof key !== 'object') return formatFieldPath(steps.filter(isSegment))
  // A field after an element stands as one after a field.
  const rest = formatSteps(['x', ...steps.slice(at + 1)]).slice(1)
  return `${formatFieldPath(steps.slice(0, at).filter(isSegment))}[${key.field}=${key.name}]${rest}`
}

const isSegment = (step: Step): step is Segment => typeof step !== 'object'

/** Something that has fields or elements to tell one by one. */
const isContainer = (value: unknown): boolean => (isJsonObject(value) || Array.isArray(value)) && Object.keys(value).length > 0

/** The value with every text in it replaced. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change))
  if (!isJsonObject(value)) return value
  const mapped: Record<string, unknown> = {}
  for (const key of Object.keys(value)) setOwn(mapped, key, mapTexts(getOwn(value, key), change))
  return mapped
}
