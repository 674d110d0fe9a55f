/** Made by scripts/kind-tables.mjs from k8s.io/api v0.36.3; `../table.ts` says how to read it. */
export const node: string = `
io.k8s.api.node.v1
Overhead
  podFixed 1 {}quantity
RuntimeClass typed
  metadata 1 meta.ObjectMeta; handler! 2 string; overhead 3 *Overhead; scheduling 4 *Scheduling
Scheduling
  nodeSelector 1 {}string atomic; tolerations 2 []core.Toleration atomic
`
