import { IdentitiesAnswerSchema, SchemaAnswerSchema } from '../generated/stored_pb.ts'
import * as v5 from '../generated/tfplugin5_pb.ts'
import * as v6 from '../generated/tfplugin6_pb.ts'

/** The same call, whose answer is taken apart only so far. */
type Raw<M, Output> = Omit<M, 'output'> & { readonly output: Output }

type Six = (typeof v6.Provider)['method']

export interface Methods {
  readonly schema: Raw<Six['getProviderSchema'], typeof SchemaAnswerSchema>
  readonly identitySchemas: Raw<Six['getResourceIdentitySchemas'], typeof IdentitiesAnswerSchema>
  readonly validateProvider: Six['validateProviderConfig']
  readonly configure: Six['configureProvider']
  readonly stop: Six['stopProvider']
  readonly validateResource: Six['validateResourceConfig']
  readonly validateDataSource: Six['validateDataResourceConfig']
  readonly upgradeState: Six['upgradeResourceState']
  readonly upgradeIdentity: Six['upgradeResourceIdentity']
  readonly read: Six['readResource']
  readonly plan: Six['planResourceChange']
  readonly apply: Six['applyResourceChange']
  readonly import: Six['importResourceState']
  readonly readDataSource: Six['readDataSource']
}

const six = v6.Provider.method
const five = v5.Provider.method

const METHODS_6: Methods = {
  schema: { ...six.getProviderSchema, output: SchemaAnswerSchema },
  identitySchemas: { ...six.getResourceIdentitySchemas, output: IdentitiesAnswerSchema },
  validateProvider: six.validateProviderConfig,
  configure: six.configureProvider,
  stop: six.stopProvider,
  validateResource: six.validateResourceConfig,
  validateDataSource: six.validateDataResourceConfig,
  upgradeState: six.upgradeResourceState,
  upgradeIdentity: six.upgradeResourceIdentity,
  read: six.readResource,
  plan: six.planResourceChange,
  apply: six.applyResourceChange,
  import: six.importResourceState,
  readDataSource: six.readDataSource,
}

/**
 * Version 5 has other names for some calls and numbers for some fields, which the descriptions know; its messages are those of version 6 but
 * for what it lacks, so code that is written for 6 takes them.
 */
const METHODS_5 = {
  schema: { ...five.getSchema, output: SchemaAnswerSchema },
  identitySchemas: { ...five.getResourceIdentitySchemas, output: IdentitiesAnswerSchema },
  validateProvider: five.prepareProviderConfig,
  configure: five.configure,
  stop: five.stop,
  validateResource: five.validateResourceTypeConfig,
  validateDataSource: five.validateDataSourceConfig,
  upgradeState: five.upgradeResourceState,
  upgradeIdentity: five.upgradeResourceIdentity,
  read: five.readResource,
  plan: five.planResourceChange,
  apply: five.applyResourceChange,
  import: five.importResourceState,
  readDataSource: five.readDataSource,
} satisfies Record<keyof Methods, unknown> as unknown as Methods

export const methodsOf = (protocol: 5 | 6): Methods => (protocol === 5 ? METHODS_5 : METHODS_6)
