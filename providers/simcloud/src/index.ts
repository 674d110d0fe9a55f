/**
 * A simulated cloud, and the provider of its kinds. `catalogue/` says which kinds there are, `simulator/` is the cloud (a process of its own), `wire/` its API,
 * `client/` speaks that, `controller/` makes managed resources of it. Imports `provider-sdk` and `api` alone; the control plane imports it by name.
 */
export * from './catalogue/index.ts'
export * from './client/index.ts'
export * from './controller/index.ts'
export { accountOf } from './simulator/accounts/account.ts'
export { fixedDelays, realisticDelays } from './simulator/resources/delays.ts'
export { type Simulator, startSimulator } from './simulator/simulator.ts'
export { type SimulatorProcess, type SimulatorProcessOptions, startSimulatorProcess } from './simulator/simulator-process.ts'
export type * from './wire/admin.ts'
export type { ErrorCode, FieldProblem } from './wire/error.ts'
export type { CloudResource, ConnectionDetails, CreatedResource, ResourceState } from './wire/resource.ts'
