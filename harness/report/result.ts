/**
 * The result of a command as data: what `--reporter json` prints, and what every other reporter is a function of.
 *
 * The schema is the one source: the types, `docs/json.md` and `docs/result.schema.json` come of it. A field may be
 * added without another format; whatever breaks a reader takes the next number.
 */

import * as v from 'valibot';
import { RULE_IDS } from '../../src/rules/catalogue.ts';
import { BOUNDARIES } from '../compare/compare.ts';
import { FileError, messageOf } from '../errors.ts';
import { parseJson } from '../json.ts';
import { firstIssue } from '../schema.ts';

/** Of the documents that are written now. */
export const RESULT_FORMAT = 1;

/** Adds what the documentation says of it. */
const told = <const T extends v.GenericSchema>(schema: T, text: string) => v.pipe(schema, v.description(text));

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0, 'expected a number from 0'));
const text = v.string();

const implementation = v.object({
  name: told(text, 'as in `--implementation`'),
  version: told(text, 'of the reference, or of holodiff; `+NAME` behind it is a variant of the rules'),
});

const knownDivergence = v.object({
  id: told(text, 'the entry of the ledger'),
  title: told(text, 'what differs, in a sentence'),
  link: v.nullable(told(text, 'a public report, if there is one')),
});

const status = told(
  v.picklist(['ok', 'differs', 'failed']),
  'what the exit code says: `ok` 0, `differs` 1, `failed` 2',
);

const common = {
  format: told(v.literal(RESULT_FORMAT), 'the version of this schema'),
  holodiff: told(text, 'the version of holodiff that wrote it'),
  status,
  implementations: told(v.array(implementation), 'who took part'),
};

const boundary = told(v.picklist(BOUNDARIES), 'the first one at which the traces part');

const outlier = told(
  text,
  'who stands alone; `all` where each says something else; both names, as in `kona / typescript`, where only two were compared',
);

const rule = told(
  v.nullable(v.picklist(RULE_IDS)),
  'the rule of `docs/rules.md` on which they disagree, as far as it is known',
);

const known = told(v.nullable(knownDivergence), 'the entry of the ledger that lists it; null if it is new');

const signature = told(
  text,
  'boundary, who stands alone, decision of the TypeScript pipeline, and shape: the same for the same cause',
);

const embargo = told(
  count,
  'under embargo by the ledger: signatures of a campaign, vectors elsewhere; nothing else is told of them',
);

const incidentKind = told(
  text,
  '`exit`, `signal`, `timeout`, `memory`, `garbage`, `truncated`, `flood`, `surplus` or `bad-end`',
);

const replaySchema = v.object({
  ...common,
  command: told(v.literal('replay'), 'what was run'),
  vectors: told(count, 'how many were read'),
  agreed: told(
    v.array(v.object({ vector: told(text, 'its name'), source: told(text, 'its file, with the line of an .ndjson') })),
    'vectors on which all agree',
  ),
  differences: told(
    v.array(
      v.object({
        vector: told(text, 'its name'),
        source: told(text, 'its file, with the line of an .ndjson'),
        boundary,
        index: told(v.nullable(count), "the place in the boundary's list; null for `outcome` and `safeHead`"),
        outlier,
        rule,
        signature: told(v.nullable(signature), 'null if it is known: then the ledger has it'),
        known,
        description: told(text, 'who has what there, for people'),
        unstable: told(v.array(text), 'implementations that said something else when they were asked once more'),
      }),
    ),
    'one for each vector that differs, as they came',
  ),
  failures: told(
    v.array(
      v.object({
        source: told(text, 'the file, with the line of an .ndjson'),
        message: told(text, 'why, on one line'),
      }),
    ),
    'what could not be compared; any makes the status `failed`',
  ),
  missing: told(v.record(text, count), 'by implementation: vectors of which it has no recorded trace'),
  incidents: told(
    v.array(
      v.object({
        implementation: told(text, 'its name'),
        kind: incidentKind,
        vector: told(v.nullable(text), 'the vector that it came with, where there is one'),
        message: told(text, 'what it did, on one line'),
      }),
    ),
    'what references did besides answering; any makes the status `differs`',
  ),
  ledger: told(
    v.array(
      v.object({
        id: told(text, 'the entry'),
        vector: told(text, 'its name'),
        message: told(text, 'what is wrong'),
      }),
    ),
    'entries that do not show as listed; any makes the status `differs`',
  ),
  underEmbargo: embargo,
  embargoBroken: told(count, 'those under embargo that do not show as listed or could not be compared'),
});

const source = told(
  v.union([
    v.object({ seed: told(text, 'of the endless row of generated vectors, in digits') }),
    v.object({ scope: told(text, 'of the exhaustive campaign') }),
  ]),
  'where the vectors come from',
);

const campaign = v.object({
  source,
  part: told(
    v.object({ index: told(count, 'from 1'), count: told(count, 'how many parts') }),
    'which part of how many',
  ),
  vectors: told(count, 'how many of this part were run'),
});

const campaignSchema = v.object({
  ...common,
  command: told(v.picklist(['run', 'merge']), 'what was run'),
  campaigns: told(v.array(campaign), 'one for `run`; for `merge` in the order of seeds and parts'),
  vectors: told(count, 'of all of them'),
  differences: told(
    v.array(
      v.object({
        signature,
        boundary,
        outlier,
        rule,
        decided: told(
          text,
          'how the TypeScript pipeline decided by the rule: `+` it fired, `-` it let pass; more may follow',
        ),
        shape: told(text, 'what the outlier has in that place'),
        count: told(count, 'how many vectors show it'),
        first: told(
          v.object({
            campaign: told(count, 'place in `campaigns`, from 0'),
            index: told(count, 'of the vector in its seed or scope'),
          }),
          'the first vector that shows it',
        ),
        known,
        finding: told(
          v.nullable(text),
          'its folder below `findings/` of the campaign; null if none was kept, as for known ones',
        ),
      }),
    ),
    'by signature, the most frequent first',
  ),
  causes: told(
    v.record(text, count),
    'by entry of the ledger: how many vectors show it, none included; entries under embargo and those of implementations that did not take part are left out',
  ),
  incidents: told(
    v.array(
      v.object({
        implementation: told(text, 'its name'),
        kind: incidentKind,
        count: told(count, 'how often'),
        fails: told(v.boolean(), 'belongs to no vector, so that it counts by itself and makes the status `differs`'),
      }),
    ),
    'what references did besides answering; with an answer missing, a difference says so too',
  ),
  coverage: told(
    v.record(text, count),
    'in how many vectors something was reached: `RULE+ ERA` fired, `RULE- ERA` let pass (eras: before, across and after Holocene), verdicts, flushes, outcomes',
  ),
  unreached: told(
    v.array(text),
    'sides of rules, verdicts, flush causes and outcomes that were not reached although they can be',
  ),
  unreachedFails: told(v.boolean(), 'the campaign is so long that it should have: the status is `differs`'),
  underEmbargo: embargo,
});

const metamorphicSchema = v.object({
  ...common,
  command: told(v.literal('metamorphic'), 'what was run'),
  vectors: told(count, 'how many were changed: stored and generated ones'),
  seed: told(text, 'of the generated ones'),
  relations: told(
    v.array(
      v.object({
        id: told(text, 'as `holodiff metamorphic --list` has it'),
        statement: told(text, 'what is changed and what stays'),
        vectors: told(count, 'for how many it claims something'),
        excepted: told(count, 'for how many an exception holds'),
        broken: told(count, 'how often an implementation broke it, listed or not'),
        listed: told(v.record(text, count), 'by entry of the ledger: how many of these breaks it accounts for'),
      }),
    ),
    'each with what became of it',
  ),
  breaks: told(
    v.array(
      v.object({
        relation: told(text, 'its id'),
        implementation: told(text, '`name@version`'),
        count: told(count, 'how many are alike'),
        vector: told(text, 'the name of the smallest one, before it was minimised'),
        path: told(text, 'where the two traces part'),
        original: told(text, 'the trace of the vector beside that of the TypeScript pipeline'),
        changed: told(text, 'the same with the change'),
      }),
    ),
    'kinds that no entry of the ledger accounts for; any makes the status `differs`',
  ),
  underEmbargo: embargo,
});

const kill = told(
  v.nullable(
    v.object({
      boundary,
      after: told(count, 'how many vectors it took'),
      vector: told(text, 'its name'),
      under: told(
        v.nullable(text),
        'the smaller number under which it tells it, as `NAME = VALUE`; null under the rules as they are',
      ),
    }),
  ),
  'the first vector that tells it from the base',
);

const mutantsSchema = v.object({
  ...common,
  command: told(v.literal('mutants'), 'what was run'),
  vectors: told(count, 'stored and generated ones'),
  corpus: told(
    v.object({ name: told(v.picklist(['clean', 'all']), 'as in `--corpus`'), vectors: told(count, 'how many') }),
    'the stored vectors',
  ),
  campaign: told(
    v.nullable(
      v.object({
        source,
        vectors: told(count, 'how many'),
        enough: told(v.boolean(), 'there were so many that whatever can be killed has to be killed by them alone'),
      }),
    ),
    'null if there was none',
  ),
  mutants: told(
    v.array(
      v.object({
        id: told(text, 'what is changed: a rule, a constant or a fork'),
        verdict: told(
          v.picklist(['killed', 'missed', 'survives', 'refuted', 'equivalent', 'divergent']),
          '`missed`: killed by a stored vector, but not by a campaign that is long enough; `refuted`: killed although it is argued that no vector can; `equivalent`: no vector can tell; `divergent`: only where a reference differs; any that is `missed`, `survives` or `refuted` makes the status `differs`',
        ),
        argument: told(v.nullable(text), 'why it need not be killed'),
        corpus: kill,
        campaign: kill,
      }),
    ),
    'each with what became of it',
  ),
  underEmbargo: embargo,
});

export const resultSchema = v.variant('command', [replaySchema, campaignSchema, metamorphicSchema, mutantsSchema]);

/** Reads a document. @throws HolodiffError with the JSON path of what is wrong */
export function parseResult(content: string, file: string): Result {
  let value: unknown;
  try {
    ({ value } = parseJson(content));
  } catch (error) {
    throw new FileError('invalid-file', file, messageOf(error), { cause: error });
  }
  const result = v.safeParse(resultSchema, value);
  if (result.success) return result.output;
  const { path, reason } = firstIssue(result.issues);
  throw new FileError('invalid-file', file, path === '' ? reason : `${path}: ${reason}`);
}

/** A replay's result. */
export type ReplayReport = v.InferOutput<typeof replaySchema>;
/** The result of a campaign, or of several that were joined. */
export type CampaignReport = v.InferOutput<typeof campaignSchema>;
/** The result of the relations over many vectors. */
export type MetamorphicReport = v.InferOutput<typeof metamorphicSchema>;
/** The result of a hunt for mutants. */
export type MutantsReport = v.InferOutput<typeof mutantsSchema>;
/** What reporters write about. */
export type Result = v.InferOutput<typeof resultSchema>;

/** The document as a file holds it. */
export function resultToJson(result: Result): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}
