/** Made by scripts/kind-tables.mjs from k8s.io/api v0.36.3; `../table.ts` says how to read it. */
export const scheduling: string = `
io.k8s.api.scheduling.v1
PriorityClass typed
  metadata 1 meta.ObjectMeta; value~ 2 int32; globalDefault 3 bool; description 4 string; preemptionPolicy 5 *string
`
