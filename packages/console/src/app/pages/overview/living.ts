import { type KindInfo, LIVING_ROLES, roleOf } from '../../../kinds/kind-info.ts'

/** Do objects of this kind become ready, or fail to? */
export const isLiving = (kind: KindInfo): boolean => {
  const role = roleOf(kind)
  return role !== undefined && LIVING_ROLES.includes(role)
}
