import { type FieldError, type KubeObject, withMeta } from '@weft/api'
import { age, column, humanDuration } from '../column.ts'
import type { BuiltinKind } from '../kind.ts'
import { at, isSet, listAt, numberAt, recordAt, textAt } from '../read.ts'
import { containerColumns, selectorColumn, textColumn } from './columns.ts'
import { jobErrors, jobUpdateErrors, cronJobErrors } from './job-validation.ts'
import { stored } from './stored.ts'

const group = 'batch'

export const batchKinds = (): readonly BuiltinKind[] => [
  stored({
    group,
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    inAll: true,
    hasStatus: true,
    counted: true,
    columns: [
      textColumn('Schedule', 'When it starts.', ['spec', 'schedule']),
      textColumn('Timezone', 'Time zone of the schedule.', ['spec', 'timeZone'], '<none>'),
      column('Suspend', 'Whether it is held back.', (object) => suspended(object), { type: 'boolean' }),
      column('Active', 'Jobs that run.', (object) => listAt(object, 'status', 'active').length, { type: 'integer' }),
      column('Last Schedule', 'Time since it last started.', (object, now) =>
        isSet(at(object, 'status', 'lastScheduleTime')) ? age(at(object, 'status', 'lastScheduleTime'), now) : '<none>',
      ),
    ],
    wide: [...containerColumns('spec', 'jobTemplate', 'spec', 'template'), selectorColumn('spec', 'jobTemplate', 'spec', 'selector')],
    strategy: { validate: cronJobErrors },
  }),
  stored({
    group,
    kind: 'Job',
    plural: 'jobs',
    inAll: true,
    hasStatus: true,
    counted: true,
    columns: [
      column('Status', 'Where it is in its life.', stateOf),
      column('Completions', 'Pods that succeeded, of those that must.', completions),
      column('Duration', 'How long it has run.', duration),
    ],
    wide: [...containerColumns('spec', 'template'), selectorColumn('spec', 'selector')],
    strategy: {
      prepareForCreate: withOwnSelector,
      validate: jobErrors,
      validateUpdate: (next, old): readonly FieldError[] => [...jobErrors(next), ...jobUpdateErrors(next, old)],
    },
    selectableFields: { 'status.successful': (object) => String(numberAt(object, 'status', 'succeeded') ?? 0) },
  }),
]

const suspended = (object: KubeObject): string =>
  isSet(at(object, 'spec', 'suspend')) ? (at(object, 'spec', 'suspend') === true ? 'True' : 'False') : '<unset>'

const UID_LABELS = ['controller-uid', 'batch.kubernetes.io/controller-uid'] as const
const NAME_LABELS = ['job-name', 'batch.kubernetes.io/job-name'] as const

/** Unless it is chosen by hand, a Job selects its pods by its own uid, and labels them so. */
function withOwnSelector(job: KubeObject): KubeObject {
  const spec = recordAt(job, 'spec')
  if (spec['manualSelector'] === true) return job
  const { name = '', uid = '' } = job.metadata
  const template = recordAt(spec, 'template')
  const metadata = recordAt(template, 'metadata')
  const named = Object.fromEntries(NAME_LABELS.map((label) => [label, name]))
  const owned = Object.fromEntries(UID_LABELS.map((label) => [label, uid]))
  const selector = recordAt(spec, 'selector')
  const labels = { ...named, ...owned, ...recordAt(metadata, 'labels') }
  const isUnlabelled = Object.keys(job.metadata.labels ?? {}).length === 0
  return {
    ...(isUnlabelled ? withMeta(job, { labels: labels as Record<string, string> }) : job),
    spec: {
      ...spec,
      selector: { ...selector, matchLabels: { [UID_LABELS[1]]: uid, ...recordAt(selector, 'matchLabels') } },
      template: { ...template, metadata: { ...metadata, labels } },
    },
  }
}

/** The first that holds. */
const STATES = ['Complete', 'Failed', 'Terminating', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet'] as const

function stateOf(job: KubeObject): string {
  const holds = (type: string): boolean =>
    type === 'Terminating'
      ? job.metadata.deletionTimestamp !== undefined
      : textAt(
          listAt(job, 'status', 'conditions').find((condition) => textAt(condition, 'type') === type),
          'status',
        ) === 'True'
  return STATES.find(holds) ?? 'Running'
}

function completions(job: KubeObject): string {
  const succeeded = numberAt(job, 'status', 'succeeded') ?? 0
  const wanted = numberAt(job, 'spec', 'completions')
  if (wanted !== undefined) return `${succeeded}/${wanted}`
  const parallelism = numberAt(job, 'spec', 'parallelism') ?? 0
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function duration(job: KubeObject, now: number): string {
  const started = textAt(job, 'status', 'startTime')
  const done = textAt(job, 'status', 'completionTime')
  return started === '' ? '' : humanDuration((done === '' ? now : Date.parse(done)) - Date.parse(started))
}
