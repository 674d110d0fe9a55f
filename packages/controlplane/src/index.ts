export { type ControlPlane, type ControlPlaneOptions, type Log, startControlPlane } from './control-plane.ts'
