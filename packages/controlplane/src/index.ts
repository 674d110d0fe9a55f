export { type ControlPlane, type ControlPlaneOptions, type Log, startControlPlane } from './control-plane.ts'
export { inProcessTransport } from './in-process-transport.ts'
export { BUNDLED_PROVIDERS, DEFAULT_PROVIDERS, loadProviders, simulatedClouds } from './bundled-providers.ts'
export { weftAdmission } from './weft-admission.ts'
