import { childPath, type JsonObject } from '@weft/api'
import { choice, type Errors, optionalBoolean, optionalObject } from '../document.ts'
import type { MergePolicy } from './merge.ts'

const POLICIES = [
  'Replace',
  'MergeObjects',
  'MergeObjectsAppendArrays',
  'ForceMergeObjects',
  'ForceMergeObjectsAppendArrays',
  // Earlier names of the first and the last kind of merge.
  'MergeObject',
  'AppendArray',
] as const

const MERGES: Readonly<Record<(typeof POLICIES)[number], MergePolicy | undefined>> = {
  Replace: undefined,
  MergeObjects: { keepExisting: true, appendLists: false },
  MergeObject: { keepExisting: true, appendLists: false },
  MergeObjectsAppendArrays: { keepExisting: true, appendLists: true },
  ForceMergeObjects: { keepExisting: false, appendLists: false },
  ForceMergeObjectsAppendArrays: { keepExisting: false, appendLists: true },
  AppendArray: { keepExisting: false, appendLists: true },
}

/** `policy.fromFieldPath`, `policy.toFieldPath` and the older `policy.mergeOptions`. */
export function readPolicy(patch: JsonObject, path: string, errors: Errors): { required: boolean; merge: MergePolicy | undefined } {
  const at = childPath(path, 'policy')
  const policy = optionalObject(patch, 'policy', path, errors)
  if (policy === undefined) return { required: false, merge: undefined }
  const from = choice(policy, 'fromFieldPath', { path: at, errors, allowed: ['Optional', 'Required'], fallback: 'Optional' })
  const to = choice(policy, 'toFieldPath', { path: at, errors, allowed: POLICIES, fallback: 'Replace' })
  const options = optionalObject(policy, 'mergeOptions', at, errors)
  const legacy = options && {
    keepExisting: optionalBoolean(options, 'keepMapValues', `${at}.mergeOptions`, errors) ?? false,
    appendLists: optionalBoolean(options, 'appendSlice', `${at}.mergeOptions`, errors) ?? false,
  }
  return { required: from === 'Required', merge: to === undefined || to === 'Replace' ? legacy : MERGES[to] }
}
