import { localObjectReference, loadBalancerStatus, objectReference } from '../core/messages.ts'
import { type Message, reachable } from '../message.ts'
import { condition, deleteOptions, labelSelector, objectMeta } from '../meta.ts'
import { apps } from './made/apps.ts'
import { autoscaling } from './made/autoscaling.ts'
import { autoscalingV1 } from './made/autoscaling-v1.ts'
import { batch } from './made/batch.ts'
import { core } from './made/core.ts'
import { discovery } from './made/discovery.ts'
import { networking } from './made/networking.ts'
import { node } from './made/node.ts'
import { pods } from './made/pods.ts'
import { policy } from './made/policy.ts'
import { scheduling } from './made/scheduling.ts'
import { storage } from './made/storage.ts'
import { MessageTables } from './table.ts'
import { words } from './words.ts'

let tables: MessageTables | undefined

/** A message of the tables by its full name: `io.k8s.api.apps.v1.Deployment`. */
export function tableMessage(name: string): Message {
  tables ??= new MessageTables(
    [pods, core, apps, autoscaling, autoscalingV1, batch, discovery, networking, node, policy, scheduling, storage],
    [
      ...reachable([
        objectMeta,
        labelSelector,
        condition,
        deleteOptions,
        localObjectReference,
        objectReference,
        loadBalancerStatus,
      ]).values(),
    ],
    words,
  )
  return tables.get(name)
}
