import { type Condition, isJsonObject, type KubeObject } from '@weft/api'
import { findValues, formatValue } from '../../jsonpath/index.ts'
import { parsePath } from '../../output/index.ts'
import { CommandFailure } from '../../report.ts'

/** What `--for` asks of an object. */
export interface Wish {
  /** Is it fulfilled? `undefined`: there is no such object. */
  isMet(object: KubeObject | undefined): boolean
  /** Why it is not, for the message when time is over. */
  whyNot(object: KubeObject | undefined): string
  /** As it was written. */
  readonly text: string
  /** `condition met`, `deleted`. */
  readonly outcome: string
  /** May objects that do not exist be waited for? */
  readonly ofMissing: boolean
}

export function parseWish(text: string): Wish {
  const lower = text.toLowerCase()
  if (lower === 'delete') return GONE
  if (lower === 'create') return THERE
  if (lower.startsWith('condition=')) return conditionWish(text.slice('condition='.length))
  if (lower.startsWith('jsonpath=')) return jsonPathWish(text.slice('jsonpath='.length))
  throw new CommandFailure(
    `--for=${text} is not something to wait for: use condition=NAME[=VALUE], jsonpath={PATH}[=VALUE], create or delete`,
  )
}

const GONE: Wish = {
  isMet: (object) => object === undefined,
  whyNot: (object) => {
    const finalizers = object?.metadata.finalizers ?? []
    if (object?.metadata.deletionTimestamp === undefined) return 'nobody has deleted it'
    return finalizers.length === 0 ? 'it is being deleted' : `it waits for ${finalizers.join(', ')}`
  },
  text: 'delete',
  outcome: 'deleted',
  ofMissing: true,
}

const THERE: Wish = {
  isMet: (object) => object !== undefined,
  whyNot: () => 'it does not exist',
  text: 'create',
  outcome: 'created',
  ofMissing: true,
}

/** What says of an object that it does its work, whatever its kind. */
const IN_ORDER: ReadonlySet<string> = new Set(['Ready', 'Healthy', 'Installed', 'Established', 'Offered'])

/** All that is said of whether it works is true, and said of the object as it is now. */
export const WORKING: Wish = {
  isMet: (object) => {
    const said = conditionsOf(object).filter(({ type }) => IN_ORDER.has(type))
    return object !== undefined && said.length > 0 && said.every((condition) => condition.status === 'True' && isCurrent(condition, object))
  },
  whyNot: (object) => {
    const said = conditionsOf(object).filter(({ type }) => IN_ORDER.has(type))
    const bad = said.find(({ status }) => status !== 'True')
    if (bad !== undefined) return describeCondition(bad)
    return said.length === 0 ? 'no controller has looked at it yet' : 'no controller has looked at its last change yet'
  },
  text: 'it to be ready',
  outcome: 'is ready',
  ofMissing: false,
}

/** What a controller said about an earlier version of the object says nothing about this one. */
function isCurrent(condition: Condition, object: KubeObject): boolean {
  const observed = condition.observedGeneration ?? statusGeneration(object)
  return observed === undefined || observed >= (object.metadata.generation ?? 0)
}

function describeCondition(condition: Condition): string {
  const why = [condition.reason, condition.message].filter((part) => part !== undefined && part !== '').join(': ')
  return `${condition.type} is ${condition.status}${why === '' ? '' : ` (${why})`}`
}

function conditionWish(text: string): Wish {
  const [name = '', value = 'true'] = text.split('=')
  if (name === '') throw new CommandFailure('--for=condition= needs the name of a condition, such as Ready')
  const find = (object: KubeObject | undefined): Condition | undefined =>
    conditionsOf(object).find(({ type }) => type.toLowerCase() === name.toLowerCase())
  return {
    isMet(object) {
      const condition = find(object)
      if (condition === undefined || object === undefined) return false
      return isCurrent(condition, object) && condition.status.toLowerCase() === value.toLowerCase()
    },
    whyNot(object) {
      const condition = find(object)
      return condition === undefined ? `it has no condition ${name}` : describeCondition(condition)
    },
    text: `condition ${name}`,
    outcome: 'condition met',
    ofMissing: false,
  }
}

export function conditionsOf(object: KubeObject | undefined): readonly Condition[] {
  const status = object?.['status']
  const conditions = isJsonObject(status) ? (status['conditions'] as unknown) : undefined
  return Array.isArray(conditions) ? (conditions as Condition[]).filter((condition) => typeof condition?.type === 'string') : []
}

function statusGeneration(object: KubeObject): number | undefined {
  const status = object['status']
  const generation = isJsonObject(status) ? status['observedGeneration'] : undefined
  return typeof generation === 'number' ? generation : undefined
}

function jsonPathWish(text: string): Wish {
  // The value comes after the path's own closing brace; a filter may hold an equals sign of its own.
  const match = /^(\{.*\})(?:=([\s\S]*))?$/.exec(text) ?? /^([^=]+)(?:=([\s\S]*))?$/.exec(text)
  if (match?.[1] === undefined) throw new CommandFailure('--for=jsonpath= needs a path: --for=jsonpath={.status.phase}=Bound')
  const path = parsePath(match[1])
  const wanted = match[2]?.replace(/^(["'])(.*)\1$/, '$2')
  const found = (object: KubeObject | undefined): readonly unknown[] =>
    object === undefined ? [] : findSafely(() => findValues(path, object))
  return {
    isMet: (object) => found(object).some((value) => wanted === undefined || formatValue(value) === wanted),
    whyNot(object) {
      const [value] = found(object)
      return value === undefined ? `${match[1] ?? ''} has no value` : `${match[1] ?? ''} is ${formatValue(value)}`
    },
    text,
    outcome: 'condition met',
    ofMissing: false,
  }
}

/** A list that is still too short is not there yet. */
function findSafely(find: () => readonly unknown[]): readonly unknown[] {
  try {
    return find()
  } catch {
    return []
  }
}
