import { ageColumn, type Column, column, nameColumn } from '../column.ts'
import { numberAt } from '../read.ts'

/** Of a Scale, which is no stored kind. */
export const scaleColumns: readonly Column[] = [
  nameColumn,
  column('Desired', 'Number of replicas that are wanted.', (scale) => numberAt(scale, 'spec', 'replicas') ?? 0, { type: 'integer' }),
  column('Available', 'Number of replicas that there are.', (scale) => numberAt(scale, 'status', 'replicas') ?? 0, { type: 'integer' }),
  { ...ageColumn, type: 'date' },
]
