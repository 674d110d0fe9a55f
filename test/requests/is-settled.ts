import { findCondition, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'

export const isBound = ({ status }: KubeObject & { status?: { bindingPhase?: string } }): boolean => status?.bindingPhase === 'Bound'

export const isAvailable = (object: KubeObject): boolean => findCondition(conditionsOf(object), 'Ready')?.status === 'True'
