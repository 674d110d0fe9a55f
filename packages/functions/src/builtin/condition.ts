import { parseTime } from '../go/time.ts'
import { type GoObject, type GoValue, isGoArray, isGoObject } from '../go/value.ts'

/**
 * The status of the first condition of a type: Unknown where there is none, empty where the object has no status or its conditions are not what
 * conditions are.
 */
export function conditionStatus(object: GoObject, type: string): string {
  if (!Object.hasOwn(object, 'status')) return ''
  const { status } = object
  if (status === null) return 'Unknown'
  if (!isGoObject(status)) return ''
  const conditions = status['conditions'] ?? null
  if (conditions === null) return 'Unknown'
  if (!isGoArray(conditions) || !conditions.every(isCondition)) return ''
  const found = conditions.find((condition) => textIn(condition, 'type') === type)
  return found === undefined ? 'Unknown' : textIn(found, 'status')
}

const textIn = (condition: GoValue, key: string): string =>
  isGoObject(condition) ? ((condition[key] as string | null | undefined) ?? '') : ''

function isCondition(value: GoValue): boolean {
  if (value === null) return true
  if (!isGoObject(value)) return false
  const isText = (key: string): boolean => typeof (value[key] ?? '') === 'string'
  if (!isText('type') || !isText('status') || !isText('reason') || !isText('message')) return false
  const time = value['lastTransitionTime'] ?? null
  if (time !== null && !(typeof time === 'string' && parseTime(time) !== undefined)) return false
  const generation = value['observedGeneration'] ?? null
  return generation === null || typeof generation === 'bigint' || (Number.isInteger(generation) && Math.abs(generation as number) < 2 ** 63)
}
