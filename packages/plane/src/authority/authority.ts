import type { GroupVersionKind } from '@weft/api'

/** Who wrote something, as the API server knows them. */
export interface Author {
  readonly username: string
  readonly groups: readonly string[]
  readonly uid?: string | undefined
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
}

export interface Action {
  readonly verb: string
  readonly group: string
  /** The plural. */
  readonly resource: string
  /** Absent: in every namespace, or in none. */
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

/** Knows what people may do. The embedded server's authorizer answers at once; a real one is asked by SubjectAccessReview. */
export interface Authority {
  allows(author: Author, action: Action): boolean | Promise<boolean>
  /** Is it Weft itself that writes? It passes on what it was allowed to be given, and borrows nobody the rest of its rights. */
  isWeft?(author: Author): Promise<boolean>
  /** The plural of a kind; undefined while nobody serves it. */
  resourceOf(kind: GroupVersionKind): string | undefined | Promise<string | undefined>
}
