// Made by `weft types`: run it again instead of editing.
import type * as weft from '@weft/composition'

/** A database on a PostgreSQL server. */
export interface Database {
  readonly apiVersion: 'postgresql.sql.crossplane.io/v1alpha1'
  readonly kind: 'Database'
  readonly metadata: weft.Metadata
  /** The desired state. */
  readonly spec: {
    /** Parameters of the external resource. */
    readonly forProvider?: {
      /** The role that owns the database. */
      readonly owner?: string
      /** The Role that owns the database. */
      readonly ownerRef?: {
        readonly name?: string
      }
      /** Selects an object by its labels or by its controller. */
      readonly ownerSelector?: { readonly [key: string]: unknown }
      /** The database to copy. */
      readonly template?: string
      /** Character encoding; cannot be changed. */
      readonly encoding?: string
      /** Sort order of strings. Cannot be changed. */
      readonly lcCollate?: string
      /** Character classification; cannot be changed. */
      readonly lcCType?: string
      /** Where the data is kept. */
      readonly tablespace?: string
      /** Whether anybody may connect. */
      readonly allowConnections?: boolean
      /** Connections at a time; -1 is no limit. */
      readonly connectionLimit?: number
      /** Whether everybody who may create databases may copy this database. */
      readonly isTemplate?: boolean
      readonly [other: string]: unknown
    }
    /** Delete: the external resource is deleted with this object. Orphan: it is kept. */
    readonly deletionPolicy?: 'Delete' | 'Orphan'
    /** What to do with the resource when a claim releases it. */
    readonly reclaimPolicy?: 'Delete' | 'Retain'
    /** What may be done to the external resource. Defaults to everything; an empty list pauses the object. */
    readonly managementPolicies?: readonly ('*' | 'Observe' | 'Create' | 'Update' | 'Delete' | 'LateInitialize')[]
    /** The ProviderConfig to use. Defaults to "default". */
    readonly providerConfigRef?: {
      readonly name?: string
      readonly kind?: string
    }
    /** The secret for the connection details. */
    readonly writeConnectionSecretToRef?: {
      readonly namespace?: string
      readonly name?: string
    }
    readonly [other: string]: unknown
  }
  /** The observed state. */
  readonly status?: { readonly [key: string]: unknown }
}
export const Database: weft.Kind<Database, 'database' | 'endpoint' | 'port'> = {
  apiVersion: 'postgresql.sql.crossplane.io/v1alpha1',
  kind: 'Database',
  connectionDetails: ['database', 'endpoint', 'port'],
}

export interface PostgreSQLInstance {
  readonly apiVersion: 'database.example.org/v1alpha1'
  readonly kind: 'PostgreSQLInstance'
  readonly metadata: weft.Metadata
  readonly spec: {
    /** How much work it is for. */
    readonly size: 'small' | 'medium' | 'large'
    /** Name of the database. */
    readonly databaseName?: string
    /** How the infrastructure is composed, published and bound. */
    readonly infrastructure?: {
      /** Selects a Composition by its labels. */
      readonly compositionSelector?: {
        readonly matchLabels?: { readonly [key: string]: string }
      }
      /** The Composition that is used. */
      readonly compositionRef?: unknown
      /** The composed resources, in the order of the Composition. Set by the controller. */
      readonly composedRefs?: readonly {
        /** API version. */
        readonly apiVersion?: string
        /** Kind. */
        readonly kind?: string
        /** Name. */
        readonly name?: string
      }[]
      /** The secret for the connection details. */
      readonly writeConnectionSecretToRef?: {
        readonly namespace?: string
        readonly name?: string
      }
      /** The requirement that the infrastructure is bound to. */
      readonly requirementRef?: {
        readonly apiVersion?: string
        readonly kind?: string
        readonly namespace?: string
        readonly name?: string
        readonly uid?: string
      }
      /** What to do with the infrastructure, and everything that it is composed of, when the requirement is deleted. */
      readonly reclaimPolicy?: 'Delete' | 'Retain'
    }
  }
  /** The observed state. */
  readonly status?: {
    /** The observed state of the object. */
    readonly conditions?: readonly {
      /** Type of the condition. */
      readonly type: string
      /** The status of the condition: True, False or Unknown. */
      readonly status: 'True' | 'False' | 'Unknown'
      /** The reason for the status, in one word. */
      readonly reason?: string
      /** The reason for the status, in one sentence. */
      readonly message?: string
      /** When the status last changed. */
      readonly lastTransitionTime?: string
      /** The generation of the object that this condition describes. */
      readonly observedGeneration?: number
    }[]
    /** The Composition that was used. */
    readonly composition?: string
    /** Identifies the Composition that was used: its uid and a hash of its contents. */
    readonly composedFrom?: {
      readonly uid?: string
      readonly hash?: string
    }
    readonly [other: string]: unknown
  }
}
export const PostgreSQLInstance: weft.Kind<PostgreSQLInstance, 'database' | 'endpoint' | 'password' | 'port' | 'username'> = {
  apiVersion: 'database.example.org/v1alpha1',
  kind: 'PostgreSQLInstance',
  connectionDetails: ['username', 'password', 'endpoint', 'port', 'database'],
}

/** A PostgreSQL server that runs on the machine of the control plane, with a data directory and a port of its own. */
export interface PostgreSQLServer {
  readonly apiVersion: 'postgresql.weft.dev/v1alpha1'
  readonly kind: 'PostgreSQLServer'
  readonly metadata: weft.Metadata
  /** The desired state. */
  readonly spec: {
    /** Parameters of the external resource. */
    readonly forProvider?: {
      /** Version of PostgreSQL, such as "18". Defaults to the one that is installed. */
      readonly engineVersion?: unknown
      /** Port to listen on, on the loopback address. Defaults to a free one. */
      readonly port?: number
      /** Settings of the server, as in postgresql.conf. */
      readonly parameters?: { readonly [key: string]: unknown }
      readonly [other: string]: unknown
    }
    /** Delete: the external resource is deleted with this object. Orphan: it is kept. */
    readonly deletionPolicy?: 'Delete' | 'Orphan'
    /** What to do with the resource when a claim releases it. */
    readonly reclaimPolicy?: 'Delete' | 'Retain'
    /** What may be done to the external resource. Defaults to everything; an empty list pauses the object. */
    readonly managementPolicies?: readonly ('*' | 'Observe' | 'Create' | 'Update' | 'Delete' | 'LateInitialize')[]
    /** The ProviderConfig to use. Defaults to "default". */
    readonly providerConfigRef?: {
      readonly name?: string
      readonly kind?: string
    }
    /** The secret for the connection details. */
    readonly writeConnectionSecretToRef?: {
      readonly namespace?: string
      readonly name?: string
    }
    readonly [other: string]: unknown
  }
  /** The observed state. */
  readonly status?: { readonly [key: string]: unknown }
}
export const PostgreSQLServer: weft.Kind<PostgreSQLServer, 'endpoint' | 'password' | 'port' | 'username'> = {
  apiVersion: 'postgresql.weft.dev/v1alpha1',
  kind: 'PostgreSQLServer',
  connectionDetails: ['username', 'password', 'endpoint', 'port'],
}

/** A role (user or group) of a PostgreSQL server. */
export interface Role {
  readonly apiVersion: 'postgresql.sql.crossplane.io/v1alpha1'
  readonly kind: 'Role'
  readonly metadata: weft.Metadata
  /** The desired state. */
  readonly spec: {
    /** Parameters of the external resource. */
    readonly forProvider?: {
      /** Connections at a time; -1 is no limit. */
      readonly connectionLimit?: number
      /** What the role may do. Left unchanged by default. */
      readonly privileges?: {
        readonly superUser?: boolean
        readonly inherit?: boolean
        readonly createDb?: boolean
        readonly createRole?: boolean
        readonly login?: boolean
        readonly replication?: boolean
        readonly bypassRls?: boolean
      }
      /** The password to use. By default one is generated if the role may log in and has a connection secret. */
      readonly passwordSecretRef?: {
        readonly name: string
        readonly namespace: string
        readonly key: string
      }
      /** Settings for sessions of the role. All other settings are reset, unless this is omitted. */
      readonly configurationParameters?: readonly {
        readonly name: string
        readonly value: string
      }[]
      readonly [other: string]: unknown
    }
    /** Delete: the external resource is deleted with this object. Orphan: it is kept. */
    readonly deletionPolicy?: 'Delete' | 'Orphan'
    /** What to do with the resource when a claim releases it. */
    readonly reclaimPolicy?: 'Delete' | 'Retain'
    /** What may be done to the external resource. Defaults to everything; an empty list pauses the object. */
    readonly managementPolicies?: readonly ('*' | 'Observe' | 'Create' | 'Update' | 'Delete' | 'LateInitialize')[]
    /** The ProviderConfig to use. Defaults to "default". */
    readonly providerConfigRef?: {
      readonly name?: string
      readonly kind?: string
    }
    /** The secret for the connection details. */
    readonly writeConnectionSecretToRef?: {
      readonly namespace?: string
      readonly name?: string
    }
    readonly [other: string]: unknown
  }
  /** The observed state. */
  readonly status?: { readonly [key: string]: unknown }
}
export const Role: weft.Kind<Role, 'endpoint' | 'password' | 'port' | 'username'> = {
  apiVersion: 'postgresql.sql.crossplane.io/v1alpha1',
  kind: 'Role',
  connectionDetails: ['username', 'password', 'endpoint', 'port'],
}
