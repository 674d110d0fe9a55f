import { isLoopback } from '@weft/console'
import type { ProgramsAsked } from '@weft/plan'

/** Functions that listen on the control plane's machine can be asked where that is this one; whoever types commands here may connect to them anyway. */
export const programsAt = (server: string): ProgramsAsked => (isLoopback(new URL(server).hostname) ? 'any' : 'none')
