import type { KubeObject } from '@weft/api'
import { eventColumns } from '../core/event.ts'
import { validateEvent, validateFixed, validateStrictly } from '../core/event-validation.ts'
import { type BuiltinKind, builtin } from '../kind.ts'
import { textAt } from '../read.ts'
import { strategy } from '../strategy.ts'
import { event as message } from './messages.ts'

const GROUP = 'events.k8s.io'

/** Fields of events.k8s.io and the names under which they are stored. All others are the same in both. */
const NAMES: readonly (readonly [view: string, stored: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
]
const toStoredName = new Map(NAMES)
const toViewName = new Map(NAMES.map(([view, stored]) => [stored, view]))

const rename = (object: KubeObject, names: ReadonlyMap<string, string>, apiVersion: string): KubeObject => ({
  ...(Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value])) as KubeObject),
  apiVersion,
})

/** The core form of an `events.k8s.io` Event. */
export const eventToStored = (object: KubeObject): KubeObject => rename(object, toStoredName, 'v1')
/** The `events.k8s.io` form of a core Event. */
export const eventFromStored = (object: KubeObject): KubeObject => rename(object, toViewName, `${GROUP}/v1`)

const regarding = (name: string) => (object: KubeObject) => textAt(object, 'regarding', name)

export const eventsKinds: readonly BuiltinKind[] = [
  builtin({
    group: GROUP,
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    namespaced: true,
    message,
    columns: eventColumns(eventToStored),
    selectableFields: {
      reason: (object) => textAt(object, 'reason'),
      'regarding.kind': regarding('kind'),
      'regarding.namespace': regarding('namespace'),
      'regarding.name': regarding('name'),
      'regarding.uid': regarding('uid'),
      'regarding.apiVersion': regarding('apiVersion'),
      'regarding.resourceVersion': regarding('resourceVersion'),
      'regarding.fieldPath': regarding('fieldPath'),
      reportingController: (object) => textAt(object, 'reportingController'),
      type: (object) => textAt(object, 'type'),
    },
    strategy: strategy({
      createOnUpdate: true,
      validate: (object) => {
        const stored = eventToStored(object)
        return [...validateEvent(stored, 'reportingController'), ...validateStrictly(stored)]
      },
      validateUpdate: (next, old) => {
        const stored = eventToStored(next)
        return [...validateEvent(stored, 'reportingController'), ...validateFixed(stored, eventToStored(old))]
      },
    }),
    storedAs: { group: '', version: 'v1', kind: 'Event', toStored: eventToStored, fromStored: eventFromStored },
  }),
]
