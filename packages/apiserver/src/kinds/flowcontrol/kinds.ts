import type { KubeObject } from '@weft/api'
import { ageColumn, column, nameColumn, textCell } from '../column.ts'
import { type BuiltinKind, builtin, part } from '../kind.ts'
import { at, listAt, numberAt, textAt } from '../read.ts'
import { type Strategy, keepsStatus, statusOnly } from '../strategy.ts'
import { withFlowSchemaDefaults, withPriorityLevelDefaults } from './defaults.ts'
import { validatePriorityLevel } from './level-validation.ts'
import { flowSchema, priorityLevelConfiguration } from './messages.ts'
import { validateConditions, validateFlowSchema } from './validation.ts'

const group = 'flowcontrol.apiserver.k8s.io'
const schemas: Strategy = keepsStatus({ default: withFlowSchemaDefaults, validate: validateFlowSchema })
const levels: Strategy = keepsStatus({ default: withPriorityLevelDefaults, validate: validatePriorityLevel })
const status = (main: Strategy): Strategy => statusOnly(main, { resetFields: ['metadata', 'spec'], validateUpdate: validateConditions })

const numberOf =
  (...path: string[]) =>
  (object: KubeObject): number | string =>
    numberAt(object, ...path) ?? '<none>'
const queuing = ['spec', 'limited', 'limitResponse', 'queuing'] as const

export const flowcontrolKinds: readonly BuiltinKind[] = [
  builtin({
    group,
    kind: 'FlowSchema',
    plural: 'flowschemas',
    namespaced: false,
    message: flowSchema,
    columns: [
      nameColumn,
      column('PriorityLevel', 'The level that serves it.', textCell('spec', 'priorityLevelConfiguration', 'name')),
      column('MatchingPrecedence', 'The lowest that matches counts.', numberOf('spec', 'matchingPrecedence')),
      column('DistinguisherMethod', 'What makes a flow.', (object) => textAt(object, 'spec', 'distinguisherMethod', 'type') || '<none>'),
      ageColumn,
      column('MissingPL', 'Whether its level is missing.', isDangling),
    ],
    strategy: schemas,
    subresources: [part('status', flowSchema, status(schemas))],
    generation: ['spec'],
  }),
  builtin({
    group,
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    namespaced: false,
    message: priorityLevelConfiguration,
    columns: [
      nameColumn,
      column('Type', 'Exempt or Limited.', textCell('spec', 'type')),
      column('NominalConcurrencyShares', 'Its part of the seats.', numberOf('spec', 'limited', 'nominalConcurrencyShares')),
      column('Queues', 'How many queues.', numberOf(...queuing, 'queues')),
      column('HandSize', 'Among how many a flow chooses.', numberOf(...queuing, 'handSize')),
      column('QueueLengthLimit', 'How many may wait in each.', numberOf(...queuing, 'queueLengthLimit')),
      ageColumn,
    ],
    strategy: levels,
    subresources: [part('status', priorityLevelConfiguration, status(levels))],
    generation: ['spec'],
  }),
]

function isDangling(object: KubeObject): string {
  const found = listAt(object, 'status', 'conditions').find((condition) => at(condition, 'type') === 'Dangling')
  return found === undefined ? '?' : textAt(found, 'status')
}
