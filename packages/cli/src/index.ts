export { main } from './weft.ts'
