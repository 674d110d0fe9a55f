import type { KubeObject } from '@weft/api'

/** An external system that outlives the control plane, and what is wanted there. */
export interface Site {
  readonly name: string
  /** What the control plane needs to reach it: secrets, provider configurations. */
  readonly objects: readonly KubeObject[]
  /** The managed resources, in groups that live and die together, each after those that it needs. */
  readonly groups: readonly (readonly KubeObject[])[]
  /** Names the external resources that exist, by asking the system itself: `kind/name`, sorted, each as often as it is there. */
  inventory(): Promise<readonly string[]>
  /** The same for a managed resource. */
  nameOf(resource: KubeObject): string
  /** What is wrong with the external resource of this managed resource; undefined when nothing is. */
  problemOf(resource: KubeObject, secret: Readonly<Record<string, string>>): Promise<string | undefined>
  close(): Promise<void>
}
