import { type Message, message, opt, ptr, req, root } from '../message.ts'
import { eventSource, objectReference } from '../core/messages.ts'
import { objectMeta } from '../meta.ts'

/** Messages of `events.k8s.io/v1`. */
const v1 = (kind: string): string => `io.k8s.api.events.v1.${kind}`

export const event: Message = root(v1('Event'), 'A report that something happened to an object.', () => ({
  metadata: opt(1, objectMeta, 'Name, labels and the other standard metadata.'),
  eventTime: req(2, 'microTime', 'When it was first observed.'),
  series: ptr(3, eventSeries, 'Set when the event repeats.'),
  reportingController: opt(4, 'string', 'The controller that reports.'),
  reportingInstance: opt(5, 'string', 'The instance of that controller.'),
  action: opt(6, 'string', 'What was done or failed.'),
  reason: opt(7, 'string', 'Why it was done.'),
  regarding: opt(8, objectReference, 'The object it is about.'),
  related: ptr(9, objectReference, 'A second object that takes part.'),
  note: opt(10, 'string', 'What happened, for people.'),
  type: opt(11, 'string', 'Normal or Warning.'),
  deprecatedSource: opt(12, eventSource, 'Source, as older clients set it.'),
  deprecatedFirstTimestamp: opt(13, 'time', 'First time, as older clients set it.'),
  deprecatedLastTimestamp: opt(14, 'time', 'Last time, as older clients set it.'),
  deprecatedCount: opt(15, 'int32', 'Count, as older clients set it.'),
}))

export const eventSeries: Message = message(v1('EventSeries'), 'How an event repeats.', () => ({
  count: req(1, 'int32', 'How often it was seen so far.'),
  lastObservedTime: req(2, 'microTime', 'When it was last seen.'),
}))
