/**
 * POST DependentsQuestion, answered by DependentsAnswer: what depends on objects, by their ownerReferences. Weft's own server knows without looking; any other
 * has no such path. RBAC knows it as a non-resource URL; whoever may ask is told of what they may get, and of nothing else.
 */
export const DEPENDENTS_PATH = '/weft/dependents'

export interface DependentsQuestion {
  readonly uids: readonly string[]
}

export interface DependentsAnswer {
  readonly items: readonly {
    readonly apiVersion: string
    readonly kind: string
    readonly namespace?: string
    readonly name: string
  }[]
}
