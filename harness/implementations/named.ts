/** Implementations told apart where several versions of one take part. */

import type { Vector } from '../../src/vector.ts';
import type { Answer, Handshake, Implementation, Incident } from './implementation.ts';

/**
 * The implementations, each under a name of its own: those of which several versions take part are called
 * `NAME@VERSION`, all others as they call themselves.
 */
export function distinctly(implementations: readonly Implementation[]): Implementation[] {
  const count = (name: string) => implementations.filter((one) => one.name === name).length;
  return implementations.map((one) => (count(one.name) > 1 ? new NamedImplementation(one) : one));
}

/** Name and version, each once. */
export function titleOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return name.endsWith(`@${version}`) ? name : `${name} ${version}`;
}

/** An implementation under the name `NAME@VERSION`. */
class NamedImplementation implements Implementation {
  readonly name: string;
  readonly #one: Implementation;

  constructor(one: Implementation) {
    this.#one = one;
    this.name = `${one.name}@${one.version}`;
  }

  get version(): string {
    return this.#one.version;
  }

  get handshake(): Handshake {
    return this.#one.handshake;
  }

  get how(): string {
    return this.#one.how;
  }

  get inFlight(): number {
    return this.#one.inFlight;
  }

  get incidents(): readonly Incident[] {
    return this.#one.incidents;
  }

  submit(line: string, vector?: Vector): Promise<Answer> {
    return this.#one.submit(line, vector);
  }

  confirm(line: string, body: string): Promise<Answer | undefined> {
    return this.#one.confirm?.(line, body) ?? this.#one.submit(line);
  }

  refresh(): Promise<void> {
    return this.#one.refresh();
  }

  close(): Promise<void> {
    return this.#one.close();
  }
}
