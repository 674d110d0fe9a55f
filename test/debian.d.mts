export interface UnpackedProgram {
  readonly path: string
  /** For `LD_LIBRARY_PATH`. */
  readonly libraries: string
}

export function unpackedProgram(
  name: string,
  options: { readonly package: string; readonly program: string; readonly folder?: string; readonly libraries?: readonly string[] },
): Promise<UnpackedProgram | { readonly skipped: string }>
export function whyNot(error: unknown): string
export function isProgram(path: string | undefined): boolean
