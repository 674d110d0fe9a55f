import type { ScaleFields } from '../kind.ts'
import { recordAt } from '../read.ts'
import { queryOf } from './columns.ts'

const counts = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } as const

export const replicasBySelector: ScaleFields = { ...counts, selector: (object) => queryOf(recordAt(object, 'spec', 'selector')) }

/** The selector is a set of labels. */
export const replicasByLabels: ScaleFields = {
  ...counts,
  selector: (object) => queryOf({ matchLabels: recordAt(object, 'spec', 'selector') }),
}
