/**
 * Serves the web console: the built app, sign-in, and a proxy to the API under the user's own identity. It speaks HTTP to the API like any other client, so
 * that it can do nothing that its user may not.
 */
export { Refusal } from './answer.ts'
export type * from '../contract.ts'
export { type ConsoleOptions, type ConsoleServer, startConsole } from './console-server.ts'
export type { Engines } from './endpoints/compute.ts'
export { isLoopback } from './guard/site.ts'
export { type ManualServer, startManual } from './manual/start-manual.ts'
