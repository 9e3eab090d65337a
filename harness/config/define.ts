/** What `holodiff.config.ts` may say. A flag goes before the environment, and the environment before the file. */

export interface HolodiffConfig {
  /**
   * Programs that keep the adapter protocol: how each is started, by the name that it gives in its handshake. From then
   * on `--implementation NAME` means that program. It is cut at spaces (`\ ` is a space within a word); a word that
   * starts with `./` or `../` is a path from the folder of the configuration.
   */
  readonly adapters?: Readonly<Record<string, string>>;
  /** Who is compared where no `--implementation` says so; `NAME=COMMAND` is possible here too. */
  readonly implementations?: readonly string[];
  /** Changes the rules of the TypeScript pipeline: a built-in variant, or a file. */
  readonly variant?: string;
  /** Seconds that a reference has for one vector. */
  readonly timeout?: number;
  /** Mebibytes that a reference may use. */
  readonly memory?: number;
  /** Which endless row of generated vectors: a whole number from 0 to 9999999999999999999. */
  readonly seed?: number | bigint | string;
  /** The list of known divergences, or several; `false` for none. */
  readonly known?: string | readonly string[] | false;
  /** The folder below which campaigns are kept. */
  readonly findings?: string;
  /** The folder in which the references are built. */
  readonly buildDir?: string;
  /** As the values of `--reporter`. */
  readonly reporters?: readonly string[];
}

/** Names that no adapter of the configuration may take. */
export const RESERVED_NAMES: readonly string[] = ['typescript', 'kona', 'op-node'];

/** Gives the configuration back as it is: with it, an editor knows the fields. */
export function defineConfig(config: HolodiffConfig): HolodiffConfig {
  return config;
}
