import type { KubeObject } from '@weft/api'
import type { Api } from '../api/api.ts'

/** A text that was not saved, and the object that it began with. */
export interface Draft {
  readonly begun: KubeObject
  readonly text: string
}

/** Of each session, which ends with the sign-out: the next user of the window has others. In memory: nothing is kept in the browser's storage. */
const bySession = new WeakMap<Api, Map<string, Draft>>()

export function draftsOf(api: Api): Map<string, Draft> {
  const drafts = bySession.get(api) ?? new Map<string, Draft>()
  bySession.set(api, drafts)
  return drafts
}
