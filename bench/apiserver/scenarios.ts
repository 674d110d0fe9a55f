import type { Scenario } from '../bench.ts'
import { apply } from './apply.ts'
import { create } from './create.ts'
import { fanOut } from './fan-out.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { scale } from './scale.ts'
import { startUp } from './start-up.ts'
import { update } from './update.ts'

/** In the order of the report. Start-up first: an idle machine is needed for it. */
export const scenarios: readonly Scenario[] = [startUp, create, get, update, apply, list, fanOut, scale]
