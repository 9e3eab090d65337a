/** The schema of results as a JSON Schema, and as the page that explains it. */

import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import { RESULT_FORMAT, resultSchema } from '../harness/report/result.ts';

/** `docs/result.schema.json`. */
export function resultJsonSchema(): string {
  const { $schema, ...schema } = toJsonSchema(resultSchema);
  const document = {
    $schema,
    title: `A result of holodiff, format ${RESULT_FORMAT}`,
    description: 'What --reporter json writes, and what merged.json is. Explained in json.md.',
    ...schema,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** `docs/json.md`. */
export function resultPage(): string {
  const documents = toJsonSchema(resultSchema).oneOf ?? [];
  return `# Results as JSON

Written by \`npm run docs\` from \`harness/report/result.ts\`; a test fails when it is stale. [result.schema.json](result.schema.json) is the same as a JSON Schema.

\`--reporter json\` writes one document for each \`replay\`, \`run\`, \`merge\`, \`metamorphic\` or \`mutants\`; \`merged.json\`, which \`holodiff merge\` leaves in its folder, is such a document too. \`command\`
says which of the shapes below it has.

\`format\` is ${RESULT_FORMAT}. Within a format fields may be added, so a reader passes over those it does not know; none goes away and none changes its meaning. Whatever breaks a reader
is a new format, and is told in the changelog.

No document holds a time or a path that was not given on the command line: the same run gives the same bytes on any machine. What is under
[embargo](nightly.md#embargoes) is in none of them but for its number.

${documents.map(section).join('\n')}`;
}

function section(schema: JsonSchemaNode): string {
  if (typeof schema === 'boolean') throw new Error('expected an object of the schema');
  const command = schema.properties?.['command'];
  const names = typeof command === 'object' ? (command.enum ?? [command.const]) : [];
  return `## ${names.map((name) => `\`${JSON.stringify(name).slice(1, -1)}\``).join(' and ')}

| field | type | meaning |
| --- | --- | --- |
${rows(schema, '').join('\n')}
`;
}

type JsonSchemaNode = JsonSchema | boolean;

/** A row for each field, those of objects and lists below it. */
function rows(schema: JsonSchemaNode, prefix: string): string[] {
  if (typeof schema === 'boolean') return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (typeof field === 'boolean') return [];
    const at = `${prefix}${name}`;
    const { inner, path, type } = opened(field, at);
    const text = field.description ?? inner.description ?? '';
    const row = `| \`${at}\` | ${type} | ${text.replaceAll('|', '\\|')} |`;
    const below = inner.anyOf?.filter((one) => typeof one === 'object' && one.properties !== undefined) ?? [];
    return [row, ...[inner, ...below].flatMap((one) => rows(one, `${path}.`))];
  });
}

/** What is inside of a list or of a value that may be null. */
function opened(
  field: JsonSchema,
  at: string,
): { readonly inner: JsonSchema; readonly path: string; readonly type: string } {
  if (field.type === 'array' && typeof field.items === 'object' && !Array.isArray(field.items)) {
    const { inner, path, type } = opened(field.items, `${at}[]`);
    return { inner, path, type: `list of ${type}` };
  }
  const [first, second] = field.anyOf ?? [];
  if (typeof first === 'object' && typeof second === 'object' && second.type === 'null') {
    const { inner, path, type } = opened(first, at);
    return { inner, path, type: `${type} or null` };
  }
  return { inner: field, path: at, type: typeOf(field) };
}

function typeOf({ type, const: only, enum: some, anyOf, additionalProperties }: JsonSchema): string {
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (some !== undefined) {
    return some.length > 8 ? 'rule' : some.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  }
  if (anyOf !== undefined) return 'object, one of:';
  if (typeof additionalProperties === 'object' && additionalProperties.type !== undefined) {
    return `object of ${String(additionalProperties.type)}`;
  }
  return String(type);
}
