import { fromBinary, type MessageInitShape } from '@bufbuild/protobuf'
import { GrpcCode, type GrpcClient, GrpcError } from '@weft/grpc'
import {
  type AttributePath as PathMessage,
  type Diagnostic as DiagnosticMessage,
  Diagnostic_Severity,
  DiagnosticSchema,
  type DynamicValue,
  type DynamicValueSchema,
  type ResourceIdentityData,
} from '../generated/tfplugin6_pb.ts'
import type { IdentitiesAnswer } from '../generated/stored_pb.ts'
import { type AttributePath, type Diagnostic, errorsOf, type PathStep } from './diagnostic.ts'
import { methodsOf } from './methods.ts'
import type { ProviderClient } from './provider-client.ts'
import { isJson } from '../value/wire.ts'
import { readStoredSchema, storeSchema } from './stored-schema.ts'

/** Providers put it into their user agent, and some turn away old ones. */
const TERRAFORM_VERSION = '1.11.0'
/** We resolve everything before we ask, and can keep a secret out of a state. */
const clientCapabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true }

/** Calls a process over its socket. */
export function grpcProviderClient(grpc: GrpcClient, protocol: 5 | 6): ProviderClient {
  const methods = methodsOf(protocol)
  return {
    protocol,
    async schema(options) {
      const answer = await grpc.unary(methods.schema, {}, options)
      const [error] = errorsOf(diagnosticsIn(answer))
      if (error !== undefined) throw new Error(`the provider cannot report its schema: ${error.summary}: ${error.detail}`)
      const stored = storeSchema(protocol, answer, await identities())
      return { stored, schema: readStoredSchema(stored) }

      /** Providers of before 2025 have no such call, and some fail in it: they are used without (T43). */
      async function identities(): Promise<IdentitiesAnswer | undefined> {
        try {
          const found = await grpc.unary(methods.identitySchemas, {}, options)
          return errorsOf(diagnosticsIn(found)).length === 0 ? found : undefined
        } catch (failure) {
          if (failure instanceof GrpcError && failure.code === GrpcCode.Unimplemented) return undefined
          throw failure
        }
      }
    },
    async validateProvider(config, options) {
      const { diagnostics } = await grpc.unary(methods.validateProvider, { config: value(config) }, options)
      return diagnosticsOf(diagnostics)
    },
    async configure(config, options) {
      const request = { terraformVersion: TERRAFORM_VERSION, config: value(config), clientCapabilities }
      const { diagnostics } = await grpc.unary(methods.configure, request, options)
      return diagnosticsOf(diagnostics)
    },
    async validateResource(typeName, config, options) {
      const { diagnostics } = await grpc.unary(methods.validateResource, { typeName, config: value(config), clientCapabilities }, options)
      return diagnosticsOf(diagnostics)
    },
    async validateDataSource(typeName, config, options) {
      const { diagnostics } = await grpc.unary(methods.validateDataSource, { typeName, config: value(config) }, options)
      return diagnosticsOf(diagnostics)
    },
    async upgradeState(typeName, { version, json }, options) {
      const request = { typeName, version: BigInt(version), rawState: { json: Buffer.from(json) } }
      const { upgradedState, diagnostics } = await grpc.unary(methods.upgradeState, request, options)
      return { upgraded: bytesOf(upgradedState), diagnostics: diagnosticsOf(diagnostics) }
    },
    async upgradeIdentity(typeName, { version, json }, options) {
      const request = { typeName, version: BigInt(version), rawIdentity: { json: Buffer.from(json) } }
      const { upgradedIdentity, diagnostics } = await grpc.unary(methods.upgradeIdentity, request, options)
      return { upgraded: identityOf(upgradedIdentity), diagnostics: diagnosticsOf(diagnostics) }
    },
    async read({ type, state, private: bytes, identity, providerMeta }, options) {
      const answer = await grpc.unary(
        methods.read,
        {
          typeName: type,
          currentState: value(state),
          private: bytes,
          clientCapabilities,
          ...meta(providerMeta),
          ...(identity !== undefined && { currentIdentity: identityData(identity) }),
        },
        options,
      )
      return {
        state: bytesOf(answer.newState),
        private: answer.private,
        identity: identityOf(answer.newIdentity),
        deferred: answer.deferred !== undefined,
        diagnostics: diagnosticsOf(answer.diagnostics),
      }
    },
    async plan({ type, prior, proposed, config, providerMeta }, options) {
      const answer = await grpc.unary(
        methods.plan,
        {
          typeName: type,
          priorState: value(prior.state),
          proposedNewState: value(proposed),
          config: value(config),
          priorPrivate: prior.private,
          clientCapabilities,
          ...meta(providerMeta),
          ...(prior.identity !== undefined && { priorIdentity: identityData(prior.identity) }),
        },
        options,
      )
      return {
        planned: bytesOf(answer.plannedState),
        private: answer.plannedPrivate,
        identity: identityOf(answer.plannedIdentity),
        requiresReplace: answer.requiresReplace.map(pathOf),
        legacyTypes: answer.legacyTypeSystem,
        deferred: answer.deferred !== undefined,
        diagnostics: diagnosticsOf(answer.diagnostics),
      }
    },
    async apply({ type, prior, planned, config, providerMeta }) {
      const answer = await grpc.unary(methods.apply, {
        typeName: type,
        priorState: value(prior),
        plannedState: value(planned.state),
        config: value(config),
        plannedPrivate: planned.private,
        ...meta(providerMeta),
        ...(planned.identity !== undefined && { plannedIdentity: identityData(planned.identity) }),
      })
      return {
        state: bytesOf(answer.newState),
        private: answer.private,
        identity: identityOf(answer.newIdentity),
        legacyTypes: answer.legacyTypeSystem,
        diagnostics: diagnosticsOf(answer.diagnostics),
      }
    },
    async import({ type, ...by }, options) {
      const what = 'id' in by ? { id: by.id } : { identity: identityData(by.identity) }
      const answer = await grpc.unary(methods.import, { typeName: type, clientCapabilities, ...what }, options)
      return {
        resources: answer.importedResources.map((found) => ({
          type: found.typeName,
          state: bytesOf(found.state) ?? NIL,
          private: found.private,
          identity: identityOf(found.identity),
        })),
        deferred: answer.deferred !== undefined,
        diagnostics: diagnosticsOf(answer.diagnostics),
      }
    },
    async readDataSource({ type, config, providerMeta }, options) {
      const request = { typeName: type, config: value(config), clientCapabilities, ...meta(providerMeta) }
      const answer = await grpc.unary(methods.readDataSource, request, options)
      return { state: bytesOf(answer.state), deferred: answer.deferred !== undefined, diagnostics: diagnosticsOf(answer.diagnostics) }
    },
    async stop() {
      await grpc.unary(methods.stop, {})
    },
  }
}

/** Of a resource that is not there. */
const NIL = Uint8Array.of(0xc0)

/** What a provider planned goes back to it as it came. */
const value = (bytes: Uint8Array): MessageInitShape<typeof DynamicValueSchema> => (isJson(bytes) ? { json: bytes } : { msgpack: bytes })
const bytesOf = (answer: DynamicValue | undefined): Uint8Array | undefined =>
  answer !== undefined && answer.msgpack.length === 0 ? answer.json : answer?.msgpack
/** Absent rather than empty: an empty value is no null. */
const meta = (bytes: Uint8Array | undefined): { providerMeta?: MessageInitShape<typeof DynamicValueSchema> } =>
  bytes === undefined ? {} : { providerMeta: value(bytes) }
const identityData = (bytes: Uint8Array): { identityData: MessageInitShape<typeof DynamicValueSchema> } => ({ identityData: value(bytes) })

function identityOf(data: ResourceIdentityData | undefined): Uint8Array | undefined {
  const bytes = bytesOf(data?.identityData)
  return bytes === undefined || bytes.length === 0 ? undefined : bytes
}

/** Of an answer that was not taken apart. */
const diagnosticsIn = ({ diagnostics }: { readonly diagnostics: readonly Uint8Array[] }): readonly Diagnostic[] =>
  diagnosticsOf(diagnostics.map((bytes) => fromBinary(DiagnosticSchema, bytes)))

const diagnosticsOf = (messages: readonly DiagnosticMessage[]): Diagnostic[] =>
  messages.map(({ severity, summary, detail, attribute }) => ({
    // A severity that we do not know is taken seriously.
    severity: severity === Diagnostic_Severity.WARNING ? 'warning' : 'error',
    summary,
    detail,
    path: attribute === undefined ? [] : pathOf(attribute),
  }))

const pathOf = ({ steps }: PathMessage): AttributePath =>
  steps.flatMap(({ selector }): PathStep[] => {
    switch (selector.case) {
      case 'attributeName':
        return [{ type: 'attribute', name: selector.value }]
      case 'elementKeyString':
        return [{ type: 'key', key: selector.value }]
      case 'elementKeyInt':
        return [{ type: 'index', index: Number(selector.value) }]
      default:
        return []
    }
  })
