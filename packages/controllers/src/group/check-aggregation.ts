import { deepEqual, gvkOf, type GroupVersionKind, type KubeObject } from '@weft/api'
import { hasLabels } from '../binding/spec-reference.ts'
import { AGGREGATE_CLASS, COMPOSITE_CLASS, RESOURCE_CLASS, sameKind } from '../bindings-table/well-known.ts'
import { aggregationLabels } from '../selection/aggregated-classes.ts'

const FLEXIBLE = [RESOURCE_CLASS, COMPOSITE_CLASS]

/**
 * An AggregateResourceClass stands for typed classes only. Whoever gives its label to a flexible one, or asks for a label that some have, is told: nothing else
 * would tell them. Warnings, each a sentence.
 */
export function checkAggregation(
  object: KubeObject,
  oldObject: KubeObject | undefined,
  objects: (kind: GroupVersionKind) => readonly KubeObject[],
): readonly string[] {
  const kind = gvkOf(object)
  if (FLEXIBLE.some((each) => sameKind(each, kind))) {
    if (deepEqual(object.metadata.labels, oldObject?.metadata.labels)) return []
    return objects(AGGREGATE_CLASS).flatMap((aggregate) => ignored(object, aggregate))
  }
  if (!sameKind(kind, AGGREGATE_CLASS) || deepEqual(object['aggregationRule'], oldObject?.['aggregationRule'])) return []
  return FLEXIBLE.flatMap((each) => objects(each)).flatMap((flexible) => ignored(flexible, object))
}

function ignored(flexible: KubeObject, aggregate: KubeObject): readonly string[] {
  const labels = aggregationLabels(aggregate)
  if (labels === undefined || !hasLabels(flexible, labels)) return []
  return [
    `${flexible.kind} ${flexible.metadata.name ?? ''} has the labels of AggregateResourceClass ${aggregate.metadata.name ?? ''}, which combines only classes of providers: it will not be part of that`,
  ]
}
