/**
 * For tests alone: servers that come and go, faults on the wire, clocks that stand still, and waits that follow progress. Product code never imports it.
 */
export { startControlPlane, type TestControlPlane, type TestControlPlaneOptions } from './control-plane.ts'
export { eventually, type EventuallyOptions, waitFor, type WaitOptions } from './eventually.ts'
export { FakeClock, settle } from './fake-clock.ts'
export { chaos, type Fault, type FaultOptions, type FaultRule, type FaultyTransport, faultyTransport } from './fault-transport.ts'
export { deepFreeze, frozenTransport } from './frozen-transport.ts'
export { untilReady } from './installed-control-plane.ts'
export { installKinds } from './kinds.ts'
export { type KubernetesAccess, kubernetesAccess, SERVERS_VARIABLE } from './kubernetes-access.ts'
export { compositeDefinition, namedFunction, patchingStep, pipelineComposition, READY_STEP } from './pipeline-platform.ts'
export { recordedCases, recording } from './recordings.ts'
export { seededRandom } from './seeded-random.ts'
export { startTestServer } from './start-test-server.ts'
export { ADMINISTRATOR, type TestServer, type TestServerOptions } from './test-server.ts'
export { patienceMs } from './patience.ts'
