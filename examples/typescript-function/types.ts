// Made by `weft types`: run it again instead of editing.
import type * as weft from '@weft/composition'

export interface Network {
  readonly apiVersion: 'net.example.org/v1'
  readonly kind: 'Network'
  readonly metadata: weft.Metadata
  readonly spec: {
    readonly cidr: string
    readonly zones?: number
    /** Configures how Crossplane will reconcile this composite resource */
    readonly crossplane?: {
      readonly compositionRef?: {
        readonly name: string
      }
      readonly compositionSelector?: {
        readonly matchLabels: { readonly [key: string]: string }
      }
      readonly compositionRevisionRef?: {
        readonly name: string
      }
      readonly compositionRevisionSelector?: {
        readonly matchLabels: { readonly [key: string]: string }
      }
      readonly compositionUpdatePolicy?: 'Automatic' | 'Manual'
      readonly resourceRefs?: readonly {
        readonly apiVersion: string
        readonly kind: string
        readonly name?: string
      }[]
    }
  }
  readonly status?: {
    readonly subnets?: readonly string[]
    /** Conditions of the resource. */
    readonly conditions?: readonly {
      readonly lastTransitionTime: string
      readonly message?: string
      readonly observedGeneration?: number
      readonly reason: string
      readonly status: string
      readonly type: string
    }[]
  }
}
export const Network: weft.Kind<Network, string> = {
  apiVersion: 'net.example.org/v1',
  kind: 'Network',
}
