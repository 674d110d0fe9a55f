import { defineComposition, type Fields, from, resource, secretKey } from '@weft/composition'
import { Database, PostgreSQLInstance, PostgreSQLServer, Role } from './types.ts'

const SECRETS = 'crossplane-system'

/** Settings of a server, by the size of the instance. A size without an entry does not compile. */
const CONNECTIONS = { small: 20, medium: 100, large: 400 } as const

/** Every resource publishes its own secret, named after the composite. */
const ownSecret = (instance: Fields<PostgreSQLInstance, 'composite'>, suffix: string) => from(instance.metadata.uid).format(`%s-${suffix}`)

export default defineComposition(PostgreSQLInstance, { name: 'local-postgresql', labels: { provider: 'local' } }, (instance) => {
  /** The server is the first resource below. */
  const serverName = from(instance.spec.infrastructure.composedRefs[0]?.name)

  return [
    resource(
      PostgreSQLServer,
      { spec: { forProvider: { parameters: {} }, writeConnectionSecretToRef: { namespace: SECRETS } } },
      (server) => ({
        patches: [
          from(instance.spec.size).map(CONNECTIONS).to(server.spec.forProvider.parameters['max_connections']),
          ownSecret(instance, 'server').to(server.spec.writeConnectionSecretToRef.name),
        ],
      }),
    ),
    resource(
      Role,
      {
        metadata: { annotations: { 'crossplane.io/external-name': 'app' } },
        spec: {
          forProvider: { privileges: { login: true } },
          providerConfigRef: { kind: 'PostgreSQLServer' },
          writeConnectionSecretToRef: { namespace: SECRETS },
        },
      },
      (role) => ({
        patches: [
          serverName.to(role.spec.providerConfigRef.name),
          ownSecret(instance, 'role').to(role.spec.writeConnectionSecretToRef.name),
        ],
        connectionDetails: {
          username: secretKey('username'),
          password: secretKey('password'),
          endpoint: secretKey('endpoint'),
          port: secretKey('port'),
        },
      }),
    ),
    resource(
      Database,
      {
        spec: {
          forProvider: { ownerSelector: { matchControllerRef: true } },
          providerConfigRef: { kind: 'PostgreSQLServer' },
          writeConnectionSecretToRef: { namespace: SECRETS },
        },
      },
      (database) => ({
        patches: [
          serverName.to(database.spec.providerConfigRef.name),
          from(instance.spec.databaseName).to(database.metadata.annotations['crossplane.io/external-name']),
          ownSecret(instance, 'database').to(database.spec.writeConnectionSecretToRef.name),
        ],
        connectionDetails: { database: secretKey('database') },
      }),
    ),
  ]
})
