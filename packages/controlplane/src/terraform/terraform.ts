import type { Client } from '@weft/client'
import { type PackageStore, type PackageRun, type SchemaSource, TERRAFORM } from '@weft/controllers'
import type { ProviderDefinition } from '@weft/provider-sdk'
import { PackageError } from '@weft/xpkg'
import type { TerraformAnswers } from './terraform-answers.ts'

/** Terraform providers in a control plane: their packages, the schemas of their kinds, and the code that works for them. */
export interface Terraform {
  /** Undefined: kinds whose schema they know stay as they are. */
  readonly schemas?: SchemaSource | undefined
  /** The same store, with their packages in it. */
  beside(next: PackageStore): PackageStore
  /** The code of a revision; undefined for what is no Terraform provider. */
  codeOf(revision: PackageRun['revision']): ((client: Client) => Promise<ProviderDefinition>) | undefined
  /** What is answered about their kinds beside the API. */
  readonly answers?: TerraformAnswers | undefined
  close(): Promise<void>
}

/** Of a control plane whose operator has not allowed programs of packages: nothing of what runs them is even loaded. */
export const NOT_ALLOWED: Terraform = {
  beside: (next) => ({
    ...next,
    fetch: async (text, options) => {
      if (text.startsWith(TERRAFORM)) throw new PackageError('NotAllowed', refusal(text))
      return next.fetch(text, options)
    },
    identify: (text, digest) => (text.startsWith(TERRAFORM) ? { source: text, version: digest } : next.identify(text, digest)),
  }),
  codeOf: ({ spec: { image } }) => (image.startsWith(TERRAFORM) ? () => Promise.reject(new Error(refusal(image))) : undefined),
  close: () => Promise.resolve(),
}

const refusal = (text: string): string =>
  `${text} is a program that would run on this machine, which its operator has not allowed: start the control plane with --allow-provider-executables`
