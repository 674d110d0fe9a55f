/**
 * The composition root: `startControlPlane` (embedded: store, server, controllers and providers in one process) and `startOnKubernetes` (the same controllers
 * against a real server). Only the command line and tests import it; nothing of the domain is decided here.
 */
export { type ControlPlane, type ControlPlaneOptions, type Log, startControlPlane } from './control-plane.ts'
export { BUNDLED_PROVIDERS, DEFAULT_PROVIDERS, loadProviders, simulatedClouds } from './bundled-providers.ts'
export { type KubernetesOptions, type OnKubernetes, startOnKubernetes, type WebhookOptions } from './kubernetes/start-on-kubernetes.ts'
export { type CacheContents, packageCache } from './package-cache.ts'
export { kubernetesManifests, type Manifest, type ManifestOptions, type Part } from './kubernetes/manifests.ts'
export { installKinds, releasedKinds } from './install-kinds.ts'
export { instancesOfWeft, removeKinds, removeWeft } from './kubernetes/uninstall.ts'
export { installOnKubernetes } from './kubernetes/install.ts'
export { type Survey, surveyInstallation } from './kubernetes/survey.ts'
export { describeNewerKind, type NewerKind, newerKinds, NewerKindsError } from './newer-kinds.ts'
export { ForeignObjectsError, type Obstacle } from './foreign-objects.ts'
