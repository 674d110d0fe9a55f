import { deepEqual } from '@weft/api'
import type { Predicate } from './controller.ts'

/** The desired state changed: not metadata, and not status where that is a subresource. Additions and deletions count. */
export const generationChanged: Predicate = (change) =>
  change.type !== 'updated' || change.object.metadata.generation !== change.previous.metadata.generation

export const labelsChanged: Predicate = (change) =>
  change.type !== 'updated' || !deepEqual(change.object.metadata.labels, change.previous.metadata.labels)

export const annotationsChanged: Predicate = (change) =>
  change.type !== 'updated' || !deepEqual(change.object.metadata.annotations, change.previous.metadata.annotations)

/** Deletion began or finalizers changed: what a controller with a finalizer must see. */
export const deletionChanged: Predicate = (change) =>
  change.type !== 'updated' ||
  change.object.metadata.deletionTimestamp !== change.previous.metadata.deletionTimestamp ||
  !deepEqual(change.object.metadata.finalizers, change.previous.metadata.finalizers)

export const anyOf =
  (...predicates: readonly Predicate[]): Predicate =>
  (change) =>
    predicates.some((predicate) => predicate(change))

/** What its author may change: spec, labels, annotations, and whether it is to go. */
export const specOrMetadataChanged: Predicate = anyOf(generationChanged, deletionChanged, labelsChanged, annotationsChanged)

export const allOf =
  (...predicates: readonly Predicate[]): Predicate =>
  (change) =>
    predicates.every((predicate) => predicate(change))
