/** Makes the single executable for Linux on x64, and answers its path. */
export declare function packExecutable(target: string): Promise<string>
