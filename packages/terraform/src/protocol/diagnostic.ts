/** What a provider says about a request beside its answer. Texts may quote values, secrets too: redact before they are shown. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  readonly summary: string
  readonly detail: string
  /** What it is about; empty where that is the whole. Never leads through an element of a set, which has no name. */
  readonly path: AttributePath
}

export type AttributePath = readonly PathStep[]
export type PathStep =
  | { readonly type: 'attribute'; readonly name: string }
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'index'; readonly index: number }

export const errorsOf = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === 'error')

/** `network_rule[0].port`, for people. */
export const pathText = (path: AttributePath): string =>
  path
    .map((step, at) =>
      step.type === 'attribute'
        ? `${at === 0 ? '' : '.'}${step.name}`
        : step.type === 'key'
          ? `[${JSON.stringify(step.key)}]`
          : `[${step.index}]`,
    )
    .join('')
