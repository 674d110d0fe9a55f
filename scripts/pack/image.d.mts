/** Makes the image as an OCI layout in the folder, and answers the folder. */
export declare function packImage(target: string): Promise<string>
