/** What can be exported, and whose behaviour it can assert. */

/** The forms of an export. */
export const EXPORT_FORMS = ['go', 'rust', 'markdown'] as const;

export type ExportForm = (typeof EXPORT_FORMS)[number];

/** Whose trace a test expects: that of the pipeline written from the specification, or a reference's. */
export const EXPECTATIONS = ['typescript', 'kona', 'op-node'] as const;

export type Expectation = (typeof EXPECTATIONS)[number];
