/** Makes the chart as an OCI layout in the folder, and answers the folder. */
export declare function packChart(target: string): Promise<string>
