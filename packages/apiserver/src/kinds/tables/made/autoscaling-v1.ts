/** Made by scripts/kind-tables.mjs from k8s.io/api v0.36.3; `../table.ts` says how to read it. */
export const autoscalingV1: string = `
io.k8s.api.autoscaling.v1
CrossVersionObjectReference atomic
  kind! 1 string; name! 2 string; apiVersion 3 string
HorizontalPodAutoscaler typed
  metadata 1 meta.ObjectMeta; spec+ 2 HorizontalPodAutoscalerSpec; status 3 HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerSpec
  scaleTargetRef! 1 CrossVersionObjectReference; minReplicas 2 *int32; maxReplicas! 3 int32; targetCPUUtilizationPercentage 4 *int32
HorizontalPodAutoscalerStatus
  observedGeneration 1 *int64; lastScaleTime 2 *time; currentReplicas! 3 int32; desiredReplicas! 4 int32
  currentCPUUtilizationPercentage 5 *int32
`
