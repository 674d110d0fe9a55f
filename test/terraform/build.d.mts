export interface TerraformProviders {
  readonly sdk: string
  readonly framework: string
  readonly mux: string
  readonly world: string
  readonly time: string
  readonly local: string
}

export function ensureTerraformProviders(): Promise<TerraformProviders | { readonly skipped: string }>
