/** A function in one file of JavaScript, ready to be run: a script whose `functionModule.default` answers requests. */
export interface FunctionModule {
  readonly code: string
  /** What its author calls it, for messages. */
  readonly file: string
}

/** Who knows which functions are modules at present. */
export interface FunctionModules {
  /** By the name of the Function object. */
  find(functionName: string): FunctionModule | undefined
}

/** Under which name a compiled module leaves its exports. */
export const MODULE_GLOBAL = 'functionModule'

/** On a Function in a file, and on the metadata of a package: the file that holds its module. */
export const FUNCTION_MODULE = 'weft.dev/function-module'
