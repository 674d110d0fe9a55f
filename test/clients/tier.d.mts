export interface Clients {
  kubectls: { name: string; path: string }[]
  /** Path of the controller-runtime program. */
  controllerRuntime?: string
  helm?: string
  /** The program, and the folder of its definitions. */
  kro?: { kro: string; crds: string }
  /** Clients that this machine cannot have, with the reason. */
  missing: string[]
}

export function clientTier(): Promise<Clients | { skipped: string }>
