type Kit = { readonly path: string } | { readonly skipped: string }
export function functionKits(): Promise<{ readonly python: Kit; readonly node: Kit }>
