import { join } from 'node:path'
import { TERRAFORM } from '@weft/controllers'
import { filesystemMirror, networkMirror, type ProviderCatalogue, providerStore, registryCatalogue } from '@weft/terraform'
import { bridgedDefinition } from './bridged-definition.ts'
import { formerKinds } from './former-kinds.ts'
import { processPrograms } from './process-programs.ts'
import type { ProviderPrograms } from './provider-programs.ts'
import { schemaLibrary } from './schema-library.ts'
import { terraformAnswers } from './terraform-answers.ts'
import { terraformPackages } from './terraform-packages.ts'
import type { Terraform } from './terraform.ts'

export interface TerraformOptions {
  /** Providers, their schemas and what belongs to them are kept below it. */
  readonly dataDir: string
  /** An https address or a directory that providers are taken from, instead of the registries that they name. */
  readonly mirror?: string | undefined
  /** Directories of this machine that providers may be read from. */
  readonly paths: readonly string[]
  /** What runs them; processes of this machine unless given. */
  readonly programs?: ProviderPrograms | undefined
  /** Is the API server in this process? */
  readonly near: boolean
}

export function openTerraform({
  dataDir,
  mirror,
  paths,
  near,
  programs = processPrograms(dataDir, { near }),
}: TerraformOptions): Terraform {
  const directory = join(dataDir, 'terraform')
  const packages = terraformPackages({
    directory,
    providers: providerStore({
      directory: join(directory, 'providers'),
      catalogue: catalogueOf(mirror),
      // What Weft itself keeps is nobody's provider.
      paths: { within: paths, except: [dataDir] },
    }),
    schemas: schemaLibrary(join(directory, 'schemas'), programs),
  })
  return {
    schemas: packages,
    beside: packages.beside,
    answers: terraformAnswers(packages, programs),
    codeOf({ spec: { image, digest = '' } }) {
      if (!image.startsWith(TERRAFORM)) return undefined
      return async (client) => {
        const bridged = await packages.load(digest)
        if (bridged === undefined) throw new Error(`the files of ${image} are no longer here`)
        return bridgedDefinition(bridged, programs, await formerKinds(bridged, client))
      }
    },
    close: () => programs.close(),
  }
}

function catalogueOf(mirror: string | undefined): ProviderCatalogue {
  if (mirror === undefined) return registryCatalogue()
  return /^https?:\/\//.test(mirror) ? networkMirror(new URL(mirror)) : filesystemMirror(mirror)
}
