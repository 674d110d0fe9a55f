/** Renders all pages of the repository at `root`, and writes nothing. */
export function renderManual(root: string): {
  readonly pages: readonly { readonly path: string; readonly html: string }[]
  readonly search: readonly {
    readonly path: string
    readonly anchor: string
    readonly title: string
    readonly heading: string
    readonly text: string
  }[]
  readonly images: readonly string[]
  readonly problems: readonly string[]
}
