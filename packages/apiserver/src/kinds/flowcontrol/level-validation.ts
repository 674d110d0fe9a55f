import { deepEqual, type FieldError, field, type KubeObject } from '@weft/api'
import { isSet, numberAt, recordAt, textAt } from '../read.ts'
import { mandatoryLevel } from './mandatory.ts'
import { validateConditions } from './validation.ts'

const PRESERVES_ZERO = 'flowcontrol.k8s.io/preserve-zero-concurrency-shares'
const MAX_QUEUES = 10_000_000
const MAX_HASH_BITS = 60

export function validatePriorityLevel(object: KubeObject): FieldError[] {
  const { name = '', annotations } = object.metadata
  const spec = recordAt(object, 'spec')
  const errors: FieldError[] = []
  if (Object.hasOwn(annotations ?? {}, PRESERVES_ZERO))
    errors.push(field.forbidden('metadata.annotations', `annotation '${PRESERVES_ZERO}' is forbidden`))
  return [...errors, ...validateSpec(name, spec), ...validateFixed(name, spec), ...validateConditions(object)]
}

function validateFixed(name: string, spec: Readonly<Record<string, unknown>>): FieldError[] {
  const fixed = mandatoryLevel(name)
  if (fixed === undefined) return []
  if (name !== 'exempt') return deepEqual(spec, fixed) ? [] : [field.invalid('spec', spec, `spec of '${name}' must equal the fixed value`)]
  const { exempt: _own, ...have } = spec
  const { exempt: _fixed, ...want } = fixed
  return deepEqual(have, want)
    ? []
    : [field.invalid('spec', spec, `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`)]
}

function validateSpec(name: string, spec: Readonly<Record<string, unknown>>): FieldError[] {
  const type = textAt(spec, 'type')
  const errors: FieldError[] = []
  if ((name === 'exempt') !== (type === 'Exempt'))
    errors.push(field.invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'"))
  switch (type) {
    case 'Exempt':
      if (isSet(spec['limited'])) errors.push(field.forbidden('spec.limited', 'must be nil if the type is not Limited'))
      return [...errors, ...validateShares(recordAt(spec, 'exempt'), 'spec.exempt')]
    case 'Limited':
      if (isSet(spec['exempt'])) errors.push(field.forbidden('spec.exempt', 'must be nil if the type is Limited'))
      if (!isSet(spec['limited'])) return [...errors, field.required('spec.limited', 'must not be empty when type is Limited')]
      return [...errors, ...validateLimited(recordAt(spec, 'limited'))]
    case '':
      return [...errors, field.required('spec.type', '')]
    default:
      return [...errors, field.notSupported('spec.type', type, ['Exempt', 'Limited'])]
  }
}

function validateLimited(limited: object): FieldError[] {
  const borrowing = numberAt(limited, 'borrowingLimitPercent')
  const path = 'spec.limited'
  return [
    ...validateShares(limited, path),
    ...validateResponse(recordAt(limited, 'limitResponse'), `${path}.limitResponse`),
    ...(borrowing !== undefined && borrowing < 0
      ? [field.invalid(`${path}.borrowingLimitPercent`, borrowing, 'if specified, must be a non-negative integer')]
      : []),
  ]
}

function validateShares(part: object, path: string): FieldError[] {
  const shares = numberAt(part, 'nominalConcurrencyShares')
  const lendable = numberAt(part, 'lendablePercent')
  const errors: FieldError[] = []
  if (shares !== undefined && shares < 0)
    errors.push(field.invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer'))
  if (lendable !== undefined && (lendable < 0 || lendable > 100))
    errors.push(field.invalid(`${path}.lendablePercent`, lendable, 'must be between 0 and 100, inclusive'))
  return errors
}

function validateResponse(response: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  const type = textAt(response, 'type')
  const queued = isSet(response['queuing'])
  if (type === 'Reject')
    return queued ? [field.forbidden(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')] : []
  if (type === 'Queue')
    return queued
      ? validateQueues(recordAt(response, 'queuing'), `${path}.queuing`)
      : [field.required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')]
  return [type === '' ? field.required(`${path}.type`, '') : field.notSupported(`${path}.type`, type, ['Queue', 'Reject'])]
}

function validateQueues(queuing: object, path: string): FieldError[] {
  const [length = 0, queues = 0, hand = 0] = ['queueLengthLimit', 'queues', 'handSize'].map((name) => numberAt(queuing, name))
  const errors: FieldError[] = []
  if (length <= 0) errors.push(field.invalid(`${path}.queueLengthLimit`, length, 'must be positive'))
  if (queues <= 0) errors.push(field.invalid(`${path}.queues`, queues, 'must be positive'))
  else if (queues > MAX_QUEUES) errors.push(field.invalid(`${path}.queues`, queues, `must not be greater than ${MAX_QUEUES}`))
  if (hand <= 0) errors.push(field.invalid(`${path}.handSize`, hand, 'must be positive'))
  else if (hand > queues) errors.push(field.invalid(`${path}.handSize`, hand, `should not be greater than queues (${queues})`))
  else if (entropyBits(queues, hand) > MAX_HASH_BITS)
    errors.push(
      field.invalid(
        `${path}.handSize`,
        hand,
        `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${MAX_HASH_BITS}`,
      ),
    )
  return errors
}

/** What a hash must have for every hand to be possible. More than the limit is not counted further. */
function entropyBits(deck: number, hand: number): number {
  let bits = 0
  for (let i = 0; i < hand && bits <= MAX_HASH_BITS; i++) bits += Math.log2(deck - i)
  return Math.ceil(bits)
}
