import type { KubeObject } from '@weft/api'
import { type Column, age, column } from '../column.ts'
import { type BuiltinKind, builtin } from '../kind.ts'
import { at, isSet, numberAt, textAt } from '../read.ts'
import { strategy } from '../strategy.ts'
import { validateEvent } from './event-validation.ts'
import { event as message } from './messages.ts'

const involved = (name: string) => (object: KubeObject) => textAt(object, 'involvedObject', name)

/** Events are stored in this form; `events.k8s.io` is a view of it. */
export const event: BuiltinKind = builtin({
  group: '',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  namespaced: true,
  message,
  columns: eventColumns((object) => object),
  selectableFields: {
    'involvedObject.kind': involved('kind'),
    'involvedObject.namespace': involved('namespace'),
    'involvedObject.name': involved('name'),
    'involvedObject.uid': involved('uid'),
    'involvedObject.apiVersion': involved('apiVersion'),
    'involvedObject.resourceVersion': involved('resourceVersion'),
    'involvedObject.fieldPath': involved('fieldPath'),
    reason: (object) => textAt(object, 'reason'),
    reportingComponent: (object) => textAt(object, 'reportingComponent'),
    source: (object) => textAt(object, 'source', 'component') || textAt(object, 'reportingComponent'),
    type: (object) => textAt(object, 'type'),
  },
  strategy: strategy({ validate: (object) => validateEvent(object, 'reportingComponent'), createOnUpdate: true }),
})

/** Both views show the same table. `stored` answers the core form of what a view shows. */
export function eventColumns(stored: (object: KubeObject) => KubeObject): readonly Column[] {
  const of = (name: string, description: string, cell: Column['cell'], wide = false, format = ''): Column =>
    column(name, description, (object, now) => cell(stored(object), now), { priority: wide ? 1 : 0, format })
  return [
    of('Last Seen', 'Time since it was last seen.', lastSeen),
    of('Type', 'Normal or Warning.', (object) => textAt(object, 'type')),
    of('Reason', 'Short cause.', (object) => textAt(object, 'reason')),
    of('Object', 'Object it is about.', target),
    of('Subobject', 'Part of the object it is about.', (object) => textAt(object, 'involvedObject', 'fieldPath'), true),
    of('Source', 'Who reported it.', source, true),
    of('Message', 'What happened.', (object) => textAt(object, 'message').trim()),
    of('First Seen', 'Time since it was first seen.', firstSeen, true),
    of('Count', 'How often it was seen.', count, true),
    of('Name', 'Name of the event.', (object) => object.metadata.name ?? '', true, 'name'),
  ]
}

function firstSeen(object: KubeObject, now: number): string {
  return age(isSet(object['firstTimestamp']) ? object['firstTimestamp'] : object['eventTime'], now)
}

function lastSeen(object: KubeObject, now: number): string {
  if (isSet(object['series'])) return age(at(object, 'series', 'lastObservedTime'), now)
  return isSet(object['lastTimestamp']) ? age(object['lastTimestamp'], now) : firstSeen(object, now)
}

function count(object: KubeObject): number {
  if (isSet(object['series'])) return numberAt(object, 'series', 'count') ?? 0
  return numberAt(object, 'count') || 1
}

function target(object: KubeObject): string {
  const kind = textAt(object, 'involvedObject', 'kind').toLowerCase()
  const name = textAt(object, 'involvedObject', 'name')
  return name === '' ? kind : `${kind}/${name}`
}

function source(object: KubeObject): string {
  const component = textAt(object, 'source', 'component') || textAt(object, 'reportingComponent')
  const instance = textAt(object, 'source', 'host') || textAt(object, 'reportingInstance')
  return instance === '' ? component : `${component}, ${instance}`
}
