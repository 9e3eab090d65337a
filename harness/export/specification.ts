/** Where the sections of the specification stand for people. */

/** The address of a section that the catalogue names by its path below `specs/protocol/`. */
export function sectionLink(section: string): string {
  const [file = '', anchor] = section.split('#');
  // `interop/` stands beside `protocol/`.
  const below = file.startsWith('interop/') ? file : `protocol/${file}`;
  return `https://specs.optimism.io/${below.replace(/\.md$/, '.html')}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** A rule's statement without the ids of open points, which say something in the catalogue only. */
export function plainStatement(statement: string): string {
  return statement.replace(/ \(A\d+(?:, A\d+)*\)/g, '');
}
