export type * from '../contract.ts'
export { type ConsoleOptions, type ConsoleServer, startConsole } from './console-server.ts'
export type { Engines } from './endpoints/compute.ts'
export { isLoopback } from './guard/site.ts'
