/**
 * `@weft/testing` as authors of providers, functions and compositions install it: an API server in memory, the control plane that they have installed, faults on the
 * wire, a clock that stands still, and waits that follow progress. The conformance suite of providers is in `@weft/provider-sdk`.
 */
export { eventually, type EventuallyOptions, waitFor, type WaitOptions } from './eventually.ts'
export { FakeClock, settle } from './fake-clock.ts'
export { chaos, type Fault, type FaultOptions, type FaultRule, type FaultyTransport, faultyTransport } from './fault-transport.ts'
export { deepFreeze, frozenTransport } from './frozen-transport.ts'
export { type InstalledControlPlane, type InstalledOptions, startControlPlane } from './installed-control-plane.ts'
export { installKinds } from './kinds.ts'
export { seededRandom } from './seeded-random.ts'
export { startTestServer } from './start-test-server.ts'
export { ADMINISTRATOR, type Listening, type TestServer, type TestServerOptions, type TestUser } from './test-server.ts'
