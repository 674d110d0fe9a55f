export { formatReference } from './reference.ts'
export { main } from './weft.ts'
