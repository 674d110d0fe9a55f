import { AUTHORIZER } from './authorizer.ts'
import { CIDR } from './cidr.ts'
import { FORMAT } from './formats.ts'
import { IP } from './ip.ts'
import type { Library } from './library.ts'
import { LISTS } from './lists.ts'
import { OPTIONALS } from './optionals.ts'
import { QUANTITY } from './quantity.ts'
import { REGEX } from './regex.ts'
import { SEMVER } from './semver.ts'
import { SETS } from './sets.ts'
import { STRINGS } from './strings.ts'
import { TWO_VARIABLE_COMPREHENSIONS } from './two-variables.ts'
import { URLS } from './urls.ts'

/** Every library a kube-apiserver of this generation turns on, for rules and policies alike. */
export const KUBERNETES_LIBRARIES: readonly Library[] = [
  URLS,
  REGEX,
  LISTS,
  AUTHORIZER,
  OPTIONALS,
  QUANTITY,
  STRINGS,
  SETS,
  IP,
  CIDR,
  FORMAT,
  TWO_VARIABLE_COMPREHENSIONS,
  SEMVER,
]
