import { SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, secretKind } from '@weft/client'
import { PackageRefusal } from './package-refusal.ts'

const KEY = '.dockerconfigjson'

/** The contents of pull secrets. Throws when one is not there: without it, a registry would only say that it does not know the package. */
export async function pullSecrets(client: Client, refs: readonly { readonly name: string }[]): Promise<readonly string[]> {
  const configs: string[] = []
  for (const { name } of refs) {
    const secret = await client.find(secretKind, { namespace: SYSTEM_NAMESPACE, name })
    const data = secret?.data?.[KEY]
    if (data === undefined) {
      const what = secret === undefined ? 'does not exist' : `has no key ${KEY}`
      throw new PackageRefusal('UnpackingPackage', `pull secret ${SYSTEM_NAMESPACE}/${name} ${what}`, { retry: true })
    }
    configs.push(Buffer.from(data, 'base64').toString())
  }
  return configs
}
