type Library = { readonly path: string } | { readonly skipped: string }
export function clientLibraries(): Promise<{ readonly python: Library; readonly node: Library }>
