/** The version of the TypeScript pipeline, as it stands in its traces. */
export const VERSION = '0.1.0';
