export { type ControlPlane, type ControlPlaneOptions, type Log, startControlPlane } from './control-plane.ts'
export { inProcessTransport } from './in-process-transport.ts'
