import type { Schema } from '../schema.ts'
import { anything, conditionColumn, defineKind, type KindDefinition, list, object, statusOf, text } from './definition.ts'
import { mode, operationPipeline } from './pipeline.ts'

/** Functions that are run once, by the clock, or when something changes, and own nothing of what they write (K149–K153). */
const GROUP = 'ops.crossplane.io'

const operationSpec: Schema = object(
  'The pipeline to run.',
  {
    mode: { ...mode, default: 'Pipeline' },
    pipeline: operationPipeline,
    retryLimit: {
      type: 'integer',
      format: 'int64',
      description: 'The number of attempts before the operation fails permanently. Defaults to 5.',
    },
  },
  ['mode', 'pipeline'],
)

const named = object('One of them.', { name: text('Its name.') }, ['name'])
const time = (description: string): Schema => ({ type: 'string', format: 'date-time', description })
const limit = (value: number, which: string): Schema => ({
  type: 'integer',
  format: 'int32',
  default: value,
  description: `The number of ${which} operations to keep.`,
})

/** What all say of the operations that they make. */
const made: Readonly<Record<string, Schema>> = {
  concurrencyPolicy: {
    type: 'string',
    enum: ['Allow', 'Forbid', 'Replace'],
    default: 'Allow',
    description: 'What to do if an earlier operation is still running.',
  },
  successfulHistoryLimit: limit(3, 'successful'),
  failedHistoryLimit: limit(1, 'failed'),
  operationTemplate: object(
    'Template of the operations to create.',
    { metadata: anything('Their labels and annotations.'), spec: operationSpec },
    ['spec'],
  ),
}

const madeStatus: Readonly<Record<string, Schema>> = {
  lastScheduleTime: time('When the latest operation was created.'),
  lastSuccessfulTime: time('When an operation last succeeded.'),
  runningOperationRefs: list('The operations that are running.', named),
}

const fixed = (description: string): Schema => ({
  ...text(description),
  'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'it cannot be changed: create another WatchOperation' }],
})

export const operationDefinitions: readonly KindDefinition[] = [
  defineKind({
    group: GROUP,
    kind: 'Operation',
    plural: 'operations',
    shortNames: ['ops'],
    scope: 'Cluster',
    categories: ['crossplane'],
    versions: ['v1alpha1'],
    columns: [conditionColumn('Synced'), conditionColumn('Succeeded')],
    schema: {
      description: 'A pipeline of functions that runs once. The objects that it returns are applied without an owner.',
      properties: {
        spec: operationSpec,
        status: statusOf({
          failures: { type: 'integer', format: 'int64', description: 'The number of failed attempts.' },
          pipeline: list(
            'What the functions returned.',
            object('Of one step.', { step: text('Name of the step.'), output: anything('Its output.') }, ['step']),
          ),
          appliedResourceRefs: list(
            'The objects that were applied.',
            object(
              'One object.',
              { apiVersion: text('Its API version.'), kind: text('Its kind.'), name: text('Its name.'), namespace: text('Its namespace.') },
              ['apiVersion', 'kind', 'name'],
            ),
          ),
        }),
      },
    },
  }),
  defineKind({
    group: GROUP,
    kind: 'CronOperation',
    plural: 'cronoperations',
    shortNames: ['cronops'],
    scope: 'Cluster',
    categories: ['crossplane'],
    versions: ['v1alpha1'],
    columns: [
      { name: 'Schedule', type: 'string', jsonPath: '.spec.schedule' },
      conditionColumn('Synced'),
      conditionColumn('Scheduling'),
      { name: 'Last Schedule', type: 'date', jsonPath: '.status.lastScheduleTime' },
      { name: 'Last Success', type: 'date', jsonPath: '.status.lastSuccessfulTime' },
    ],
    schema: {
      description: 'Creates Operations on a schedule.',
      properties: {
        spec: object(
          'The schedule, and the operations to create.',
          {
            schedule: text(
              'The schedule: a cron expression with five fields, in UTC, or @hourly, @daily, @weekly, @monthly, @yearly or @every DURATION.',
            ),
            startingDeadlineSeconds: {
              type: 'integer',
              format: 'int64',
              description: 'How many seconds late an operation may start. If it would start later, it is skipped.',
            },
            ...made,
          },
          ['operationTemplate', 'schedule'],
        ),
        status: statusOf(madeStatus),
      },
    },
  }),
  defineKind({
    group: GROUP,
    kind: 'WatchOperation',
    plural: 'watchoperations',
    shortNames: ['watchops'],
    scope: 'Cluster',
    categories: ['crossplane'],
    versions: ['v1alpha1'],
    columns: [
      { name: 'Kind', type: 'string', jsonPath: '.spec.watch.kind' },
      { name: 'Count', type: 'integer', jsonPath: '.status.watchingResources' },
      conditionColumn('Synced'),
      conditionColumn('Watching'),
      { name: 'Last Schedule', type: 'date', jsonPath: '.status.lastScheduleTime' },
      { name: 'Last Success', type: 'date', jsonPath: '.status.lastSuccessfulTime' },
    ],
    schema: {
      description: 'Creates an Operation for each change of the objects that it watches.',
      properties: {
        spec: object(
          'The objects to watch, and the operations to create.',
          {
            watch: object(
              'The objects to watch.',
              {
                apiVersion: fixed('API version of the objects.'),
                kind: fixed('Kind of the objects.'),
                matchLabels: {
                  type: 'object',
                  additionalProperties: { type: 'string' },
                  description: 'Labels that the objects must have. Defaults to all objects.',
                },
                namespace: text('Namespace of the objects. Defaults to all namespaces.'),
              },
              ['apiVersion', 'kind'],
            ),
            ...made,
          },
          ['operationTemplate', 'watch'],
        ),
        status: statusOf({
          ...madeStatus,
          watchingResources: { type: 'integer', format: 'int64', description: 'The number of objects that are watched.' },
        }),
      },
    },
  }),
]
