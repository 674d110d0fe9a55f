export function verdictOf(
  ended: { readonly status: number | null; readonly output: string },
  gate: { readonly proof?: RegExp; readonly least?: number },
): { readonly good: boolean; readonly seen: number | undefined }
