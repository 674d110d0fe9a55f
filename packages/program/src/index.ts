/**
 * Programs that are not ours, run as processes: as whom, in which folder, within what bounds, and gone when we are. Providers in processes of their own,
 * what the images of packages run, and Terraform providers are such programs.
 */
export { type AnyPort, anyPortFilter } from './any-port.ts'
export { canChoosePorts, type Confined, confine, detectIsolation, type Isolation, isolationText } from './isolation.ts'
export { lastWords } from './last-words.ts'
export { type Listener, listenerAt, listeningPorts } from './listening.ts'
export { isSameProcess, type ProcessIdentity, processIdentity } from './process-identity.ts'
export { openProcessLog, type ProcessLog } from './process-log.ts'
export { prepareProcessPlace, type ProcessPlace, type ProcessUser, reachableRoot, share, shareFiles } from './process-place.ts'
export { type ProgramCommand, type ProgramHealth, ProgramProcess } from './program-process.ts'
export { assembleRoot, type GivenFolder, type ProgramRoot } from './program-root.ts'
export { carriedEnvironment, harmlessEnvironment } from './starter.ts'
export { endAbandoned, readRunNote, writeRunNote } from './run-note.ts'
