/** A subject in the form that was asked for. */

import type { Expectation, ExportForm } from './forms.ts';
import { goTest } from './go/go.ts';
import { ISSUE_LIMIT, markdownReport } from './markdown.ts';
import { rustTest } from './rust/rust.ts';
import type { Subject } from './subject.ts';
import { testCaseOf } from './test-case.ts';

/**
 * Writes the subject.
 *
 * @param expectation - whose behaviour a test asserts; a report tells everyone's
 * @param note - hears what a user should know of the result
 * @throws HolodiffError if there is nothing to export
 */
export function exportAs(
  subject: Subject,
  form: ExportForm,
  expectation: Expectation,
  note: (line: string) => void,
): string {
  if (subject.known?.embargo === true) note(`${subject.known.id} is under embargo: this is not to be made public`);
  switch (form) {
    case 'go':
      return goTest(testCaseOf(subject, expectation));
    case 'rust':
      return rustTest(testCaseOf(subject, expectation));
    case 'markdown': {
      const text = markdownReport(subject);
      if (text.length > ISSUE_LIMIT)
        note(`${text.length} characters: more than an issue may have, so attach the vector`);
      return text;
    }
    default:
      return form satisfies never;
  }
}
