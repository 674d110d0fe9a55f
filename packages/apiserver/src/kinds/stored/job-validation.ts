import { deepEqual, type FieldError, field, type KubeObject, type LabelSelector, matchesLabels, requirementsOf } from '@weft/api'
import { validateLabelSelector } from '../label-selector.ts'
import { at, isSet, recordAt, textAt } from '../read.ts'
import { podSpecErrors } from './pod-validation.ts'
import { negative } from './workload-validation.ts'

const COUNTS = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished']

export function jobErrors(job: KubeObject): FieldError[] {
  const spec = recordAt(job, 'spec')
  const selector = spec['selector']
  const labels = recordAt(spec, 'template', 'metadata', 'labels') as Record<string, string>
  const invalid = isSet(selector) ? validateLabelSelector(selector, 'spec.selector') : [field.required('spec.selector', '')]
  const selects = invalid.length > 0 || matchesLabels(requirementsOf(selector as LabelSelector), labels)
  return [
    ...jobSpecErrors(spec, 'spec'),
    ...invalid,
    ...(selects ? [] : [field.invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')]),
  ]
}

function jobSpecErrors(spec: object, path: string): FieldError[] {
  const restart = textAt(spec, 'template', 'spec', 'restartPolicy')
  return [
    ...COUNTS.flatMap((name) => negative(at(spec, name), `${path}.${name}`)),
    ...podSpecErrors(at(spec, 'template', 'spec'), `${path}.template.spec`),
    ...(restart === 'OnFailure' || restart === 'Never'
      ? []
      : restart === 'Always'
        ? [field.required(`${path}.template.spec.restartPolicy`, 'valid values: "OnFailure", "Never"')]
        : []),
  ]
}

export function jobUpdateErrors(next: KubeObject, old: KubeObject): FieldError[] {
  const isIndexed = textAt(old, 'spec', 'completionMode') === 'Indexed'
  const fixed = [
    ...(isIndexed ? [] : ['completions']),
    'selector',
    'template',
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ]
  return fixed
    .filter((name) => !deepEqual(at(next, 'spec', name), at(old, 'spec', name)))
    .map((name) => field.invalid(`spec.${name}`, at(next, 'spec', name), 'field is immutable'))
}

const CONCURRENCY = ['Allow', 'Forbid', 'Replace']

export function cronJobErrors(job: KubeObject): FieldError[] {
  const spec = recordAt(job, 'spec')
  const concurrency = textAt(spec, 'concurrencyPolicy')
  return [
    ...(textAt(spec, 'schedule') === '' ? [field.required('spec.schedule', '')] : []),
    ...negative(spec['startingDeadlineSeconds'], 'spec.startingDeadlineSeconds'),
    ...(CONCURRENCY.includes(concurrency) ? [] : [field.notSupported('spec.concurrencyPolicy', concurrency, CONCURRENCY)]),
    ...jobSpecErrors(recordAt(spec, 'jobTemplate', 'spec'), 'spec.jobTemplate.spec'),
    ...negative(spec['successfulJobsHistoryLimit'], 'spec.successfulJobsHistoryLimit'),
    ...negative(spec['failedJobsHistoryLimit'], 'spec.failedJobsHistoryLimit'),
  ]
}
