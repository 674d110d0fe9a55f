/** Resources as a state file has them: what `terraform.tfstate` says (version 4), or `tofu show -json`. */
export interface StateFile {
  /** Which line of states it is of; `show -json` does not say. */
  readonly lineage: string | undefined
  readonly resources: readonly StateResource[]
  /** What was left out, and why, in sentences. */
  readonly left: readonly string[]
}

/** One instance of a resource that was applied. */
export interface StateResource {
  /** `module.net["a"].aws_subnet.private[0]` */
  readonly address: string
  readonly type: string
  /** What its name is made of: modules, the resource's own name, and which instance it is. */
  readonly words: readonly string[]
  /** `registry.opentofu.org/hashicorp/aws` */
  readonly provider: string
  /** The configuration of the provider that it uses, where it is not the default one. */
  readonly alias: string | undefined
  readonly schemaVersion: number
  /** JSON, with all digits. */
  readonly json: string
  readonly form: 'stored' | 'plain'
  /** Empty where the file has none. */
  readonly private: Uint8Array
  readonly identity: { readonly version: number; readonly json: string } | undefined
  readonly tainted: boolean
}

/** The file is none, or none that can be read. */
export class StateFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StateFileError'
  }
}
