import {
  type Condition,
  findCondition,
  getOwn,
  isJsonObject,
  type GroupKind,
  type KubeObject,
  parseGroupVersion,
  statusOf,
} from '@weft/api'
import { fieldOf } from '../fieldpath/read.ts'
import type { ReadinessCheck } from './check.ts'

export interface Readiness {
  readonly ready: boolean
  /** Why not, for the message of the condition; empty when ready. */
  readonly reason: string
}

export interface ReadinessOptions {
  /** The template's own rules; when there are any, only they count. */
  readonly checks?: readonly ReadinessCheck[] | undefined
  /**
   * Does this kind report a condition at all? Callers that know its schema say so. Without it, Kubernetes' own kinds are taken not
   * to (a Service is ready once it exists) and all others to do: a managed resource that has no status yet is not ready.
   */
  readonly reportsReady?: boolean | undefined
}

/** Kubernetes' own kinds whose readiness is a condition, and which one. */
const BUILT_IN: Readonly<Record<string, string>> = {
  'apps/Deployment': 'Available',
  '/Pod': 'Ready',
  '/Node': 'Ready',
  'batch/Job': 'Complete',
  'apiextensions.k8s.io/CustomResourceDefinition': 'Established',
  'apiregistration.k8s.io/APIService': 'Available',
}

/** The condition that a kind is ready by unless a template says otherwise; undefined: it is ready once it exists, as far as its group tells. */
export const readyByDefault = ({ group, kind }: GroupKind): string | undefined =>
  getOwn(BUILT_IN, `${group}/${kind}`) ?? (isBuiltInGroup(group) ? undefined : 'Ready')

/** Is this member ready? Undefined is a member that does not exist yet. */
export function readinessOf(object: KubeObject | undefined, { checks = [], reportsReady }: ReadinessOptions = {}): Readiness {
  if (object === undefined) return { ready: false, reason: 'does not exist yet' }
  const readiness = judge(object, checks, reportsReady)
  // Why it cannot get ready says more than that it is not.
  const trouble = readiness.ready ? undefined : troubleOf(object)
  return trouble === undefined ? readiness : { ready: false, reason: trouble }
}

/** What went wrong in the last attempt to reconcile it. */
function troubleOf(object: KubeObject): string | undefined {
  const synced = conditionOf(object, 'Synced')
  return synced?.status === 'False' && synced.message !== '' ? synced.message : undefined
}

function judge(object: KubeObject, checks: readonly ReadinessCheck[], reportsReady: boolean | undefined): Readiness {
  if (checks.length > 0) {
    const failing = checks.find((check) => !holds(check, object))
    return failing === undefined ? READY : { ready: false, reason: describe(failing) }
  }
  const { group } = parseGroupVersion(object.apiVersion)
  const builtIn = getOwn(BUILT_IN, `${group}/${object.kind}`)
  const type = builtIn ?? 'Ready'
  const condition = conditionOf(object, type)
  if (condition === undefined) {
    const expected = builtIn !== undefined || (reportsReady ?? !isBuiltInGroup(group))
    return expected ? { ready: false, reason: `has no ${type} condition yet` } : READY
  }
  if (condition.status === 'True') return READY
  const why = [condition.reason, condition.message].filter((text) => text !== undefined && text !== '').join(': ')
  return { ready: false, reason: `${type} is ${condition.status}${why === '' ? '' : ` (${why})`}` }
}

const READY: Readiness = { ready: true, reason: '' }

/** `apps`, `batch`, the core group, and everything under k8s.io; a user's group always has a dot. */
const isBuiltInGroup = (group: string): boolean => !group.includes('.') || group.endsWith('.k8s.io')

export function conditionsOf(object: KubeObject): readonly Condition[] {
  const conditions = getOwn(statusOf(object), 'conditions')
  return Array.isArray(conditions) ? conditions.filter((item): item is Condition => isJsonObject(item)) : []
}

/** Its condition of this type, if it has one. */
export const conditionOf = (object: KubeObject, type: string): Condition | undefined => findCondition(conditionsOf(object), type)

function holds(check: ReadinessCheck, object: KubeObject): boolean {
  switch (check.type) {
    case 'None':
      return true
    case 'NonEmpty': {
      const value = fieldOf(object, check.path)
      return value !== undefined && value !== null && value !== ''
    }
    case 'MatchTrue':
      return fieldOf(object, check.path) === true
    case 'MatchFalse':
      return fieldOf(object, check.path) === false
    case 'MatchString':
      return fieldOf(object, check.path) === check.text
    case 'MatchInteger': {
      const value = fieldOf(object, check.path)
      if (typeof value === 'number') return Number.isInteger(value) && BigInt(value) === check.number
      return value === check.number
    }
    default:
      return conditionOf(object, check.condition)?.status === check.status
  }
}

function describe(check: ReadinessCheck): string {
  switch (check.type) {
    case 'None':
      return ''
    case 'NonEmpty':
      return `${check.path.text} is empty`
    case 'MatchTrue':
      return `${check.path.text} is not true`
    case 'MatchFalse':
      return `${check.path.text} is not false`
    case 'MatchString':
      return `${check.path.text} is not ${JSON.stringify(check.text)}`
    case 'MatchInteger':
      return `${check.path.text} is not ${check.number}`
    default:
      return `condition ${check.condition} is not ${check.status}`
  }
}

export interface ReadinessSummary {
  readonly ready: number
  readonly total: number
  readonly all: boolean
  /** `2/3` */
  readonly text: string
  /** `2/3 ready; waiting for MySQLServer/sql-3i3d1: Ready is False (Creating)` */
  readonly message: string
}

/** Sums up members for the condition of the whole. The message names at most five of those that are not ready, and says once what they wait for together. */
export function summariseReadiness(members: readonly { readonly name: string; readonly readiness: Readiness }[]): ReadinessSummary {
  const waiting = members.filter(({ readiness }) => !readiness.ready)
  const ready = members.length - waiting.length
  const text = `${ready}/${members.length}`
  const byReason = new Map<string, string[]>()
  for (const { name, readiness } of waiting.slice(0, 5)) {
    const { reason } = readiness
    byReason.set(reason, [...(byReason.get(reason) ?? []), name])
  }
  const named = [...byReason].map(([reason, names]) => `${names.join(', ')}: ${reason}`)
  const more = waiting.length > 5 ? `; and ${waiting.length - 5} more` : ''
  const message = waiting.length === 0 ? `${text} ready` : `${text} ready; waiting for ${named.join('; ')}${more}`
  return { ready, total: members.length, all: waiting.length === 0, text, message }
}
