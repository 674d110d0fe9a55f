export { eventually, type EventuallyOptions, waitFor, type WaitOptions } from './eventually.ts'
export { FakeClock, settle } from './fake-clock.ts'
export { seededRandom } from './seeded-random.ts'
export { ADMINISTRATOR, startTestServer, type TestServer, type TestServerOptions } from './test-server.ts'
