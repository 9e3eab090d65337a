/** Where the sections of the specification stand for people. */

/** The address of a section that the catalogue names by its path below `specs/protocol/`. */
export function sectionLink(section: string): string {
  const [file = '', anchor] = section.split('#');
  // `interop/` stands beside `protocol/`.
  const below = file.startsWith('interop/') ? file : `protocol/${file}`;
  return `https://specs.optimism.io/${below.replace(/\.md$/, '.html')}${anchor === undefined ? '' : `#${anchor}`}`;
}

/**
 * A sentence of the catalogue or of the ledger for people who know neither: without the ids of open points, and with
 * the base rules called what they are.
 */
export function plainSentence(sentence: string): string {
  return sentence.replace(/ \(A\d+(?:, A\d+)*\)/g, '').replace(/\bthe base\b/g, "holodiff's pipeline");
}
