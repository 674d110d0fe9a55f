/** Writes a list of every package inside, in CycloneDX. */
export declare function writeBillOfMaterials(folder: string): Promise<void>
/** Writes SHA256SUMS over every file below the folder. */
export declare function writeChecksums(folder: string): Promise<void>
