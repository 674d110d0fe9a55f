import { type FieldError, type KubeObject, field } from '@weft/api'
import { isSet, numberAt, recordAt } from '../read.ts'
import { type Strategy, strategy, withField } from '../strategy.ts'

const HOUR = 3600
const MIN_SECONDS = 600
const MAX_SECONDS = 2 ** 32

/** `POST serviceaccounts/NAME/token`. Audiences and the account are filled in by who issues the token. */
export const tokenRequestStrategy: Strategy = strategy({
  default: (object) => {
    const spec = recordAt(object, 'spec')
    return isSet(spec['expirationSeconds']) ? object : { ...object, spec: { ...spec, expirationSeconds: HOUR } }
  },
  prepareForCreate: (object) => withField(object, 'status', {}),
  validate,
})

function validate(object: KubeObject): FieldError[] {
  const seconds = numberAt(object, 'spec', 'expirationSeconds') ?? 0
  const path = 'spec.expirationSeconds'
  if (seconds < MIN_SECONDS) return [field.invalid(path, seconds, 'may not specify a duration less than 10 minutes')]
  return seconds > MAX_SECONDS ? [field.invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')] : []
}
