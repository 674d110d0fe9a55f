import { type FieldError, type KubeObject, field } from '@weft/api'
import { ageColumn, column, nameColumn, textCell } from '../column.ts'
import { type BuiltinKind, builtin } from '../kind.ts'
import { isSet, numberAt, recordAt, textAt } from '../read.ts'
import { strategy } from '../strategy.ts'
import { lease as message } from './messages.ts'

export const coordinationKinds: readonly BuiltinKind[] = [
  builtin({
    group: 'coordination.k8s.io',
    kind: 'Lease',
    plural: 'leases',
    namespaced: true,
    message,
    columns: [nameColumn, column('Holder', 'Who holds it.', textCell('spec', 'holderIdentity')), ageColumn],
    strategy: strategy({
      createOnUpdate: true,
      unconditionalUpdate: false,
      prepareForCreate: (object) => withoutElection(object),
      prepareForUpdate: withoutElection,
      validate,
    }),
  }),
]

/** Coordinated election is not offered; its fields are dropped unless they are stored already. */
function withoutElection(next: KubeObject, old?: unknown): KubeObject {
  const spec: Record<string, unknown> = { ...recordAt(next, 'spec') }
  const stored = recordAt(old, 'spec')
  const drop = ['strategy', 'preferredHolder'].filter((name) => Object.hasOwn(spec, name) && !isSet(stored[name]))
  for (const name of drop) delete spec[name]
  return drop.length > 0 ? { ...next, spec } : next
}

function validate(object: KubeObject): FieldError[] {
  const errors: FieldError[] = []
  const duration = numberAt(object, 'spec', 'leaseDurationSeconds')
  const transitions = numberAt(object, 'spec', 'leaseTransitions')
  if (duration !== undefined && duration <= 0) errors.push(field.invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'))
  if (transitions !== undefined && transitions < 0)
    errors.push(field.invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'))
  const strategyName = textAt(object, 'spec', 'strategy')
  if (textAt(object, 'spec', 'preferredHolder') !== '' && strategyName === '')
    errors.push(field.forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined'))
  return errors
}
