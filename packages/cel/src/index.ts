export { Environment, type EnvironmentOptions } from './environment.ts'
export { compile, type Bindings, type CompileResult, type Program } from './program.ts'
