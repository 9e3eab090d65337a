/** `holodiff export`: a finding for those who have to fix it, as a test of their own suite or as a report. */

import { Command, Option } from 'commander';
import { EXPECTATIONS, EXPORT_FORMS, type Expectation, type ExportForm } from '../export/forms.ts';
import type { KnownOption } from '../report/known.ts';
import { knownOption, type LimitOptions, limitsOf, memoryOption, nonEmpty, note, timeoutOption } from './options.ts';

interface ExportCommandOptions extends LimitOptions {
  readonly as: ExportForm;
  readonly out?: string;
  readonly expect: Expectation;
  readonly recorded: boolean;
  readonly known?: KnownOption;
}

export function exportCommand(): Command {
  return new Command('export')
    .description("write a finding as a test for op-node's or kona's own suite, or as a report to paste")
    .argument('<finding|vector>', "a finding's folder, or a vector file (.json, .json.gz)")
    .addOption(new Option('--as <form>', 'what to write').choices(EXPORT_FORMS).makeOptionMandatory())
    .option('-o, --out <file>', 'where to (default: standard output)', nonEmpty)
    .addOption(
      new Option('--expect <implementation>', 'whose behaviour a test asserts')
        .choices(EXPECTATIONS)
        .default('typescript'),
    )
    .option('--recorded', 'use recorded traces, as of a finding, even if the references could be built', false)
    .addOption(knownOption())
    .option('--no-known', 'do not look there')
    .addOption(timeoutOption())
    .addOption(memoryOption())
    .addHelpText(
      'after',
      `
  go        a test for op-node's package derive, through its public interfaces
  rust      an integration test for kona-derive
  markdown  a report: summary, rule and specification, what each implementation does, the vector decoded

A test feeds the vector's L1 data and asserts what is expected at the boundary where the implementations part first:
frames, channels, batches, flushes, emitted batches, the end of the run or the safe head. It needs nothing of holodiff.
A finding is exported minimised if it was minimised. docs/upstream.md says where a finding belongs before it is public.

Exit codes: 0 written, 2 there is nothing to export, or the harness or its input failed.

Examples:
  $ holodiff export findings/seed-7/findings/0a1b2c3d4e5f --as markdown -o report.md
  $ holodiff export vectors/curated/frame/is-last-2.vector.json --as rust -o tests/frame_is_last_2.rs
  $ holodiff export vectors/curated/frame/is-last-2.vector.json --as go --expect kona`,
    )
    .action(run);
}

async function run(given: string, options: ExportCommandOptions): Promise<void> {
  const { exportAs } = await import('../export/export.ts');
  const { loadSubject } = await import('../export/subject.ts');
  const { readKnown } = await import('../report/known.ts');
  const { FileError, messageOf } = await import('../errors.ts');
  const { writeFile } = await import('../files.ts');

  const { as, expect, out, recorded } = options;
  const known = readKnown(options.known);
  const subject = await loadSubject(given, { recorded, known, limits: limitsOf(options), note });
  const text = exportAs(subject, as, expect, note);
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFile(out, text);
  } catch (error) {
    throw new FileError('bad-option', out, `cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
