/** The `weft` command: one module per command, each loaded when it runs. The last in the line: nothing imports it but its own program and the reference. */
export { formatReference } from './reference.ts'
export { main } from './weft.ts'
