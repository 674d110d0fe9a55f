import { childPath, field, type FieldError } from '@weft/api'
import type { Patch } from '@weft/composition'

/** Templates have no environment: a patch from or to it would do nothing, without a word. Undefined: it is none. */
export const noEnvironment = ({ from, to, origin }: Patch): FieldError | undefined =>
  from === 'environment' || to === 'environment'
    ? field.forbidden(
        childPath(origin, 'type'),
        'templates have no environment: this patch would do nothing; take the value from what is composed, or use a pipeline, whose functions receive EnvironmentConfigs',
      )
    : undefined
