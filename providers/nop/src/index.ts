/**
 * Resources that are nothing: their conditions follow a timetable in their spec. The smallest provider that is whole, to read before writing one.
 * Imports `provider-sdk` and `api` alone; the control plane imports it by name.
 */
import { defineProvider, loadPackage, managedKind, type ProviderDefinition } from '@weft/provider-sdk'
import { nopClient } from './nop-client.ts'

/** Managed resources that never touch anything: for trying things out, for tests, and as the model for other providers. */
export const nopProvider: ProviderDefinition = defineProvider({
  name: 'provider-nop',
  package: loadPackage(import.meta.url, 'nop'),
  kinds: [
    managedKind({
      group: 'nop.crossplane.io',
      kind: 'NopResource',
      connector: { connect: () => Promise.resolve(nopClient) },
      // There is nothing outside that could be anybody's.
      adoption: 'free',
    }),
  ],
})
