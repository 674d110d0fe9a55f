import type { Schema } from '../schema.ts'
import { anything, conditionColumn, defineKind, type KindDefinition, list, object, statusOf, text } from './definition.ts'
import { mode, operationPipeline } from './pipeline.ts'

/** Functions that are run once, by the clock, or when something changes, and own nothing of what they write (K149–K153). */
const GROUP = 'ops.crossplane.io'

const operationSpec: Schema = object(
  'What is run.',
  {
    mode: { ...mode, default: 'Pipeline' },
    pipeline: operationPipeline,
    retryLimit: { type: 'integer', format: 'int64', description: 'The number of attempts before it fails for good; 5 by default.' },
  },
  ['mode', 'pipeline'],
)

const named = object('One of them.', { name: text('Its name.') }, ['name'])
const time = (description: string): Schema => ({ type: 'string', format: 'date-time', description })
const limit = (value: number, which: string): Schema => ({
  type: 'integer',
  format: 'int32',
  default: value,
  description: `How many operations that ${which} are kept.`,
})

/** What all say of the operations that they make. */
const made: Readonly<Record<string, Schema>> = {
  concurrencyPolicy: {
    type: 'string',
    enum: ['Allow', 'Forbid', 'Replace'],
    default: 'Allow',
    description: 'What to do while an earlier run is still in progress.',
  },
  successfulHistoryLimit: limit(3, 'succeeded'),
  failedHistoryLimit: limit(1, 'failed'),
  operationTemplate: object(
    'The operations that are created.',
    { metadata: anything('Their labels and annotations.'), spec: operationSpec },
    ['spec'],
  ),
}

const madeStatus: Readonly<Record<string, Schema>> = {
  lastScheduleTime: time('When the last one was created.'),
  lastSuccessfulTime: time('When one last succeeded.'),
  runningOperationRefs: list('Those that are running.', named),
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
      description: 'A pipeline of functions that runs once. The objects that it returns are applied, and have no owner.',
      properties: {
        spec: operationSpec,
        status: statusOf({
          failures: { type: 'integer', format: 'int64', description: 'The number of failures.' },
          pipeline: list(
            'What the functions returned.',
            object('Of one step.', { step: text('Name of the step.'), output: anything('Its output.') }, ['step']),
          ),
          appliedResourceRefs: list(
            'What was applied.',
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
          'When, and what.',
          {
            schedule: text('When: five fields as for cron, in UTC, or @hourly, @daily, @weekly, @monthly, @yearly, @every DURATION.'),
            startingDeadlineSeconds: {
              type: 'integer',
              format: 'int64',
              description: 'How late a run may start. A run that would start later is skipped.',
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
          'What is watched, and what is run.',
          {
            watch: object(
              'Which objects.',
              {
                apiVersion: fixed('Their API version.'),
                kind: fixed('Their kind.'),
                matchLabels: {
                  type: 'object',
                  additionalProperties: { type: 'string' },
                  description: 'Labels of the objects; all objects by default.',
                },
                namespace: text('The namespace that they are in. Any namespace by default.'),
              },
              ['apiVersion', 'kind'],
            ),
            ...made,
          },
          ['operationTemplate', 'watch'],
        ),
        status: statusOf({
          ...madeStatus,
          watchingResources: { type: 'integer', format: 'int64', description: 'The number of objects.' },
        }),
      },
    },
  }),
]
