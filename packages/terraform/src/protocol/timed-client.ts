import type { CallOptions, ProviderClient } from './provider-client.ts'

/** The same calls, each of which fails (DeadlineExceeded) when it takes longer; but `apply`, which takes what it takes (T30). */
export function timedClient(client: ProviderClient, timeoutMs: number): ProviderClient {
  const within = (options: CallOptions | undefined): CallOptions => ({ timeoutMs, ...options })
  return {
    ...client,
    validateResource: (type, config, options) => client.validateResource(type, config, within(options)),
    validateDataSource: (type, config, options) => client.validateDataSource(type, config, within(options)),
    upgradeState: (type, stored, options) => client.upgradeState(type, stored, within(options)),
    upgradeIdentity: (type, stored, options) => client.upgradeIdentity(type, stored, within(options)),
    read: (request, options) => client.read(request, within(options)),
    plan: (request, options) => client.plan(request, within(options)),
    import: (request, options) => client.import(request, within(options)),
    readDataSource: (request, options) => client.readDataSource(request, within(options)),
  }
}
