import { parseFieldPath, WILDCARD } from '@weft/composition'
import { NO_PACKAGES, openBundledPackages, validateObjects, type ValidationProblem } from '@weft/plan'
import { type Manifest, readEverything } from '../../manifests/index.ts'
import { CommandFailure } from '../../report.ts'
import { formatFindings, type LocatedProblem } from './format-findings.ts'

export interface ValidateOptions {
  readonly filename?: readonly string[]
  readonly recursive?: boolean
  readonly schemas?: readonly string[]
  readonly strict?: boolean
  readonly packages: boolean
  readonly output: 'text' | 'json' | 'github'
}

export async function validate(paths: readonly string[], options: ValidateOptions): Promise<number> {
  const files = [...paths, ...(options.filename ?? [])]
  if (files.length === 0) throw new CommandFailure('name the files to check: weft validate claim.yaml platform/')
  const read = await readEverything(files, options)
  const schemas = await readEverything(options.schemas ?? [], options)
  const all = [...read.manifests, ...schemas.manifests]
  const found = await validateObjects(
    all.map(({ object }) => object),
    { packages: options.packages ? openBundledPackages() : NO_PACKAGES },
  )
  const problems = [
    ...[...read.problems, ...schemas.problems].map(({ file, line, column = 1, message }): LocatedProblem => ({
      severity: 'error',
      file,
      line,
      column,
      path: '',
      message,
    })),
    ...found.filter(({ index }) => index < read.manifests.length).map((problem) => located(all[problem.index] as Manifest, problem)),
  ].toSorted((a, b) => (a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1))
  process.stdout.write(formatFindings(problems, options.output, read.manifests.length))
  const fatal = problems.filter(({ severity }) => severity === 'error' || options.strict === true)
  return fatal.length === 0 ? 0 : 1
}

function located({ object, source, locate }: Manifest, { severity, path, message }: ValidationProblem): LocatedProblem {
  const parsed = parseFieldPath(path)
  const segments = parsed.ok ? parsed.value.segments.filter((segment) => segment !== WILDCARD) : []
  const { kind, metadata } = object
  return { severity, file: source.file, ...locate(segments), object: `${kind}/${metadata.name ?? ''}`, path, message }
}
