/** What npm shows of the package `@weft/<name>`. */
export function npmPage(name: string): { readonly description: string; readonly page: string }
