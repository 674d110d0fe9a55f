import { type FieldError, field, type KubeObject } from '@weft/api'
import { column } from '../column.ts'
import type { BuiltinKind } from '../kind.ts'
import { at, isSet } from '../read.ts'
import { countColumn } from './columns.ts'
import { stored } from './stored.ts'

export const policyKinds = (): readonly BuiltinKind[] => [
  stored({
    group: 'policy',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    hasStatus: true,
    counted: true,
    columns: [
      column('Min Available', 'How many must stay available.', (object) => shown(object, 'minAvailable')),
      column('Max Unavailable', 'How many may be missing.', (object) => shown(object, 'maxUnavailable')),
      countColumn('Allowed Disruptions', 'How many more may be disrupted now.', 'status', 'disruptionsAllowed'),
    ],
    strategy: { unconditionalUpdate: false, validate: budgetErrors },
  }),
]

const shown = (object: KubeObject, name: string): string => (isSet(at(object, 'spec', name)) ? String(at(object, 'spec', name)) : 'N/A')

function budgetErrors(object: KubeObject): FieldError[] {
  const both = isSet(at(object, 'spec', 'minAvailable')) && isSet(at(object, 'spec', 'maxUnavailable'))
  return both ? [field.invalid('spec', object['spec'], 'minAvailable and maxUnavailable cannot be both set')] : []
}
