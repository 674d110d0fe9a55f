import { addErrors, type FieldError, type KubeObject, deepEqual, field, isDns1123Subdomain, isQualifiedName } from '@weft/api'
import { at, isSet, numberAt, recordAt, textAt } from '../read.ts'

/**
 * Checks of events, on the stored (core) form. The core API checks little, for the sake of old clients; events.k8s.io
 * checks all. Names in messages are those of the core form in both, but for the reporting controller.
 */
export function validateEvent(event: KubeObject, reportingField: 'reportingComponent' | 'reportingController'): FieldError[] {
  const namespace = event.metadata.namespace ?? ''
  const errors = isSet(event['eventTime']) ? validateReported(event, reportingField) : validateNamespaces(event)
  return [...errors, ...isDns1123Subdomain(namespace).map((why) => field.invalid('namespace', namespace, why))]
}

function mismatch(event: KubeObject): FieldError {
  return field.invalid('involvedObject.namespace', textAt(event, 'involvedObject', 'namespace'), 'does not match event.namespace')
}

/** Old events: the event lives in the object's namespace; those of cluster-wide objects in `default`. */
function validateNamespaces(event: KubeObject): FieldError[] {
  const involved = textAt(event, 'involvedObject', 'namespace')
  const own = event.metadata.namespace ?? ''
  const fits = involved === '' ? own === '' || own === 'default' : own === involved
  return fits ? [] : [mismatch(event)]
}

const MAX_TEXT = 128
const MAX_NOTE = 1024

/** Events with an eventTime, which newer clients set. */
function validateReported(event: KubeObject, reportingField: string): FieldError[] {
  const errors: FieldError[] = []
  const own = event.metadata.namespace ?? ''
  if (textAt(event, 'involvedObject', 'namespace') === '' && own !== 'default' && own !== 'kube-system') errors.push(mismatch(event))
  const controller = textAt(event, 'reportingComponent')
  if (controller === '') errors.push(field.required(reportingField))
  addErrors(
    errors,
    isQualifiedName(controller).map((why) => field.invalid(reportingField, controller, why)),
  )
  for (const name of ['reportingInstance', 'action', 'reason']) addErrors(errors, requiredText(event, name))
  if (Buffer.byteLength(textAt(event, 'message')) > MAX_NOTE)
    errors.push(field.invalid('message', '', `can have at most ${MAX_NOTE} characters`))
  return errors
}

function requiredText(event: KubeObject, name: string): FieldError[] {
  const text = textAt(event, name)
  if (text === '') return [field.required(name)]
  return Buffer.byteLength(text) > MAX_TEXT ? [field.invalid(name, '', `can have at most ${MAX_TEXT} characters`)] : []
}

/** What events.k8s.io asks of new events on top. */
export function validateStrictly(event: KubeObject): FieldError[] {
  const errors = validateSeries(event)
  if (!isSet(event['eventTime'])) errors.push(field.required('eventTime'))
  const type = textAt(event, 'type')
  if (type !== 'Normal' && type !== 'Warning') errors.push(field.invalid('type', '', `has invalid value: ${type}`))
  const unset = (name: string): FieldError => field.invalid(name, '', 'needs to be unset')
  for (const name of ['firstTimestamp', 'lastTimestamp']) if (isSet(event[name])) errors.push(unset(name))
  if ((numberAt(event, 'count') ?? 0) !== 0) errors.push(unset('count'))
  if (textAt(event, 'source', 'component') !== '' || textAt(event, 'source', 'host') !== '') errors.push(unset('source'))
  return errors
}

function validateSeries(event: KubeObject): FieldError[] {
  if (!isSet(event['series'])) return []
  const errors: FieldError[] = []
  if ((numberAt(event, 'series', 'count') ?? 0) < 2) errors.push(field.invalid('series.count', '', 'should be at least 2'))
  if (!isSet(at(event, 'series', 'lastObservedTime'))) errors.push(field.required('series.lastObservedTime'))
  return errors
}

/** In the order in which Kubernetes reports them, by the name it reports. */
const FIXED: readonly (readonly [stored: string, reported: string])[] = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['source', 'source'],
  ['firstTimestamp', 'firstTimestamp'],
  ['lastTimestamp', 'lastTimestamp'],
  ['count', 'count'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
]

/** Through events.k8s.io only the series of an event may change. */
export function validateFixed(next: KubeObject, old: KubeObject): FieldError[] {
  const errors = deepEqual(next['series'], old['series']) ? [] : validateSeries(next)
  for (const [stored, reported] of FIXED) {
    if (!deepEqual(comparable(next, stored), comparable(old, stored)))
      errors.push(field.invalid(reported, next[stored] ?? null, 'field is immutable'))
  }
  return errors
}

/** Absent, null and zero are one in Go; times are compared to the microsecond that is stored. */
function comparable(event: KubeObject, name: string): unknown {
  const value = event[name]
  if (name === 'source' || name === 'involvedObject') return recordAt(event, name)
  return value === null || value === '' || value === 0 ? undefined : value
}
