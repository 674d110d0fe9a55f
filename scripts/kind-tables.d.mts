/** The tables by file name; undefined where the published types are not on this machine. */
export function makeTables(version?: string): ReadonlyMap<string, string> | undefined
/** Those that are checked in. */
export function writtenTables(): ReadonlyMap<string, string>
