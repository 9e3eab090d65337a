/**
 * An implementation in a long-lived child process, over the adapter protocol of docs/protocol.md.
 *
 * Vectors are sent ahead of the answers, so that the child never waits. It answers in order, so whatever goes wrong
 * concerns the first vector without an answer: that one gets a trace that says `crash` or `timeout`, the child is
 * started again, and all others in flight are sent once more. Nothing is lost, and nothing is asked twice of a child
 * that answered.
 */

import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import * as v from 'valibot';
import type { Vector } from '../../src/vector.ts';
import { type ChildEnd, type Child as ChildProcess, endOf, spawnChild } from '../child.ts';
import { HolodiffError, messageOf } from '../errors.ts';
import { LineSplitter } from '../lines.ts';
import { checkTrace, parseLine, silentTrace, traceHead } from '../trace.ts';
import { parseVector, VECTOR_FORMAT, VectorError, vectorIn } from '../vector.ts';
import type { Answer, Handshake, Implementation, Incident, IncidentKind } from './implementation.ts';

export interface ProcessLimits {
  /** Milliseconds for one vector, from the moment that it is the child's next to answer. */
  readonly vectorTime: number;
  /** Milliseconds from the start to the handshake. */
  readonly startTime: number;
  /** Resident bytes. */
  readonly memory: number;
  /** Vectors sent ahead. */
  readonly inFlight: number;
  /** Characters sent ahead; a single vector may be larger. */
  readonly inFlightSize: number;
  /** Characters of one answer. */
  readonly line: number;
}

const DEFAULT_LIMITS: ProcessLimits = {
  vectorTime: 60_000,
  startTime: 30_000,
  memory: 4 * 1024 ** 3,
  inFlight: 32,
  inFlightSize: 64 * 1024 ** 2,
  line: 400 * 1024 ** 2,
};

export interface ProcessOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** What it is called before it has said its name. */
  readonly label: string;
  readonly how?: string;
  readonly limits?: Partial<ProcessLimits>;
}

/** A child that cannot be started, or does not introduce itself: the harness's surroundings are at fault. */
export class StartError extends HolodiffError {
  readonly implementation: string;
  readonly command: string;

  constructor(
    code: 'missing-binary' | 'bad-handshake' | 'closed',
    implementation: string,
    command: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(code, `${implementation}: ${message}`, options);
    this.implementation = implementation;
    this.command = command;
  }
}

// As the protocol has it; what cannot be seen would also put the terminal and the lists of names in disorder.
const title = v.pipe(v.string(), v.regex(/^[^\s,=@\p{C}]+$/u));

const handshakeSchema = v.object({
  holodiff: v.literal('handshake'),
  implementation: v.strictObject({ name: title, version: title }),
  formats: v.array(v.number()),
  decompressors: v.optional(v.record(v.string(), v.string()), {}),
  dependencies: v.optional(v.record(v.string(), v.string())),
});

const errorSchema = v.strictObject({ error: v.strictObject({ path: v.string(), message: v.string() }) });

/** A vector between submission and answer. */
interface Job {
  readonly line: string;
  readonly vector: Vector | undefined;
  /** The body of the trace that is expected, if one is. */
  readonly body: string | undefined;
  /** `undefined` is the expected trace. */
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** A failure of the running child, decided once; what comes from it afterwards is not read. */
interface Failure {
  readonly kind: IncidentKind;
  readonly message: string;
}

/** Bytes of standard error kept for messages. */
const STDERR_TAIL = 2_000;

/** Milliseconds between two looks at the child's memory. */
const MEMORY_INTERVAL = 200;

/** Milliseconds in which an answer that already lies in the pipe is read before a vector counts as hung. */
const TIMEOUT_GRACE = 100;

/** Milliseconds that a child has for ending by itself once its input has ended. */
const END_TIME = 5_000;

/** One life of the child program. */
class Child {
  /** The first line, or `undefined` if the child ended without one. */
  readonly firstLine: Promise<string | undefined>;
  /** Settles when the output has ended and the program is gone. */
  readonly ended: Promise<ChildEnd>;
  /** Who hears the lines after the first one. */
  listener: ((line: string) => void) | undefined;
  failure: Failure | undefined;
  /** Its input has ended, so that it may end too. */
  ending = false;
  /** What followed the last line's end. */
  rest = '';
  readonly #process: ChildProcess;
  #stderr = '';
  #introduce: (line: string | undefined) => void = () => undefined;
  #introduced = false;

  constructor(options: ProcessOptions, limits: ProcessLimits) {
    const child = spawnChild(options.command, options.args ?? []);
    this.#process = child;
    this.firstLine = new Promise((resolve) => {
      this.#introduce = resolve;
    });
    // A child that is gone shows at its output's end; the failed write says nothing more.
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-STDERR_TAIL);
    });
    const splitter = new LineSplitter();
    child.stdout.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) this.#hear(line);
      if (splitter.pending > limits.line) {
        this.fail({ kind: 'flood', message: `a line of more than ${limits.line} characters` });
      }
    });
    this.ended = (async () => {
      const end = await endOf(child, () => this.failure !== undefined);
      this.rest = splitter.rest();
      this.#introduce(undefined);
      return end;
    })();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** What it said last on standard error, as the end of a sentence. */
  get lastWords(): string {
    // A message is one line, and no program's colours are ours.
    const words = this.#stderr.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
    return words === '' ? '' : `; its last words: ${words.slice(-600)}`;
  }

  write(line: string): void {
    this.#process.stdin.write(`${line}\n`);
  }

  endInput(): void {
    this.#process.stdin.end();
  }

  /** Ends a child that broke the conversation. Only the first failure counts, and nothing is heard after it. */
  fail(failure: Failure): void {
    this.failure ??= failure;
    this.kill();
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  #hear(line: string): void {
    if (this.failure !== undefined) return;
    if (this.#introduced) {
      this.listener?.(line);
      return;
    }
    this.#introduced = true;
    this.#introduce(line);
  }
}

/** Starts the program and waits until it has introduced itself. @throws StartError */
async function launch(options: ProcessOptions, limits: ProcessLimits): Promise<{ child: Child; handshake: Handshake }> {
  const { label, command } = options;
  const child = new Child(options, limits);
  const line = await Promise.race([child.firstLine, delay(limits.startTime, null, { ref: false })]);
  if (line === undefined) throw await notStarted(options, child);
  try {
    if (line === null) {
      const message = `no handshake within ${limits.startTime} ms${child.lastWords}`;
      throw new StartError('bad-handshake', label, command, message);
    }
    return { child, handshake: readHandshake(options, line) };
  } catch (error) {
    child.kill();
    throw error;
  }
}

async function notStarted({ label, command }: ProcessOptions, child: Child): Promise<StartError> {
  const end = await child.ended;
  const { cause } = end;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOENT' || code === 'EACCES') {
    const what = code === 'ENOENT' ? 'there is no such program' : 'it may not be executed';
    return new StartError('missing-binary', label, command, `cannot start ${command}: ${what}`, { cause });
  }
  const message = `${wordsOf(end)} before its handshake${child.lastWords}`;
  return new StartError('bad-handshake', label, command, message, { cause });
}

function wordsOf({ exitCode, signal }: ChildEnd): string {
  return signal === undefined ? `ended with code ${exitCode ?? 'unknown'}` : `was ended by ${signal}`;
}

function readHandshake({ label, command }: ProcessOptions, line: string): Handshake {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new StartError('bad-handshake', label, command, `its first line is not JSON: ${short(line)}`, { cause });
  }
  const { success, output } = v.safeParse(handshakeSchema, value);
  if (!success) {
    throw new StartError('bad-handshake', label, command, `its first line is not a handshake: ${short(line)}`);
  }
  const { implementation, formats, decompressors, dependencies } = output;
  if (!formats.includes(VECTOR_FORMAT)) {
    const read = formats.join(', ') || 'none';
    throw new StartError('bad-handshake', label, command, `does not read format ${VECTOR_FORMAT}, only: ${read}`);
  }
  return { implementation, formats, decompressors, dependencies };
}

/** A reference, or any other program that keeps the adapter protocol. */
export class ProcessImplementation implements Implementation {
  readonly handshake: Handshake;
  readonly how: string;
  readonly incidents: Incident[] = [];
  readonly #options: ProcessOptions;
  readonly #limits: ProcessLimits;
  /** How the line of a trace begins. */
  readonly #head: string;
  #child: Child | undefined;
  /** Sent and not answered, oldest first. */
  #sent: Job[] = [];
  #sentSize = 0;
  /** Not sent yet. */
  #waiting: Job[] = [];
  /** A restart under way. */
  #starting: Promise<void> | undefined;
  #vectorTimer: NodeJS.Timeout | undefined;
  #memoryTimer: NodeJS.Timeout | undefined;
  #lastAnswered: Job | undefined;
  #closed = false;
  #idle: (() => void) | undefined;

  /** Starts the program and waits until it has introduced itself. @throws StartError */
  static async start(options: ProcessOptions): Promise<ProcessImplementation> {
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const { child, handshake } = await launch(options, limits);
    return new ProcessImplementation(options, limits, child, handshake);
  }

  private constructor(options: ProcessOptions, limits: ProcessLimits, child: Child, handshake: Handshake) {
    this.#options = options;
    this.#limits = limits;
    this.how = options.how ?? 'process';
    this.handshake = handshake;
    this.#head = traceHead(handshake.implementation);
    this.#adopt(child);
  }

  get name(): string {
    return this.handshake.implementation.name;
  }

  get version(): string {
    return this.handshake.implementation.version;
  }

  /** More than the child is sent, so that the next one is always at hand. */
  get inFlight(): number {
    return 2 * this.#limits.inFlight;
  }

  async submit(line: string, vector?: Vector): Promise<Answer> {
    const answer = await this.#ask(line, vector, undefined);
    if (answer === undefined) throw new Error('an expected answer where none was expected');
    return answer;
  }

  confirm(line: string, body: string): Promise<Answer | undefined> {
    return this.#ask(line, undefined, body);
  }

  #ask(line: string, vector: Vector | undefined, body: string | undefined): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new StartError('closed', this.#options.label, this.#options.command, 'is closed already'));
        return;
      }
      this.#waiting.push({ line, vector, body, resolve, reject });
      this.#pump();
    });
  }

  async refresh(): Promise<void> {
    await this.#starting;
    await this.#end();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#sent.length + this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    await this.#starting;
    await this.#end();
  }

  /** Lets a child that owes nothing end by itself. */
  async #end(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.ending = true;
    child.endInput();
    const end = await Promise.race([child.ended, delay(END_TIME, undefined, { ref: false })]);
    if (end !== undefined) return;
    child.fail({ kind: 'bad-end', message: `did not end within ${END_TIME} ms of its input's end` });
    await child.ended;
  }

  #adopt(child: Child): void {
    this.#child = child;
    child.listener = (line) => this.#answer(child, line);
    void child.ended.then((end) => this.#gone(child, end));
    this.#memoryTimer = setInterval(() => this.#checkMemory(child), MEMORY_INTERVAL);
    this.#memoryTimer.unref();
  }

  async #restart(): Promise<void> {
    try {
      const { child, handshake } = await launch(this.#options, this.#limits);
      const { name, version } = handshake.implementation;
      if (name !== this.name || version !== this.version) {
        child.kill();
        const message = `was ${this.name} ${this.version} and is ${name} ${version} after a restart`;
        throw new StartError('bad-handshake', this.#options.label, this.#options.command, message);
      }
      this.#adopt(child);
    } catch (error) {
      this.#giveUp(error);
    }
    this.#starting = undefined;
    this.#pump();
  }

  /** Sends what may be sent, starting the child again if it is gone. */
  #pump(): void {
    if (this.#child === undefined) {
      if (this.#waiting.length > 0) this.#starting ??= this.#restart();
      return;
    }
    if (this.#child.failure !== undefined) return;
    const head = this.#sent[0];
    while (this.#waiting.length > 0 && this.#sent.length < this.#limits.inFlight) {
      const size = this.#waiting[0]!.line.length;
      if (this.#sent.length > 0 && this.#sentSize + size > this.#limits.inFlightSize) break;
      const job = this.#waiting.shift()!;
      this.#sent.push(job);
      this.#sentSize += size;
      this.#child.write(job.line);
    }
    if (this.#sent[0] !== head) this.#watch(this.#child);
  }

  /** Starts the clock of the vector whose turn it is. */
  #watch(child: Child): void {
    clearTimeout(this.#vectorTimer);
    const job = this.#sent[0];
    if (job === undefined) return;
    this.#vectorTimer = setTimeout(() => {
      // If this process was busy, the answer may lie in the pipe: timers run before the pipe is read.
      this.#vectorTimer = setTimeout(() => {
        if (this.#sent[0] !== job) return;
        child.fail({ kind: 'timeout', message: `no answer within ${this.#limits.vectorTime} ms` });
      }, TIMEOUT_GRACE);
    }, this.#limits.vectorTime);
  }

  #answer(child: Child, line: string): void {
    const job = this.#sent[0];
    if (job === undefined) {
      child.fail({ kind: 'surplus', message: `a line that nobody asked for: ${short(line)}` });
      return;
    }
    let answer: Answer | undefined;
    try {
      answer = this.#isExpected(line, job) ? undefined : this.#read(line);
    } catch (error) {
      child.fail({ kind: 'garbage', message: `${messageOf(error)}: ${short(line)}` });
      return;
    }
    this.#settle(answer);
    this.#watch(child);
    this.#pump();
  }

  #isExpected(line: string, { body }: Job): boolean {
    if (body === undefined || line.length !== this.#head.length + body.length) return false;
    return line.startsWith(this.#head) && line.endsWith(body);
  }

  #read(line: string): Answer {
    const value = parseLine(line);
    if (typeof value === 'object' && value !== null && 'error' in value) {
      const { path, message } = v.parse(errorSchema, value).error;
      return { kind: 'error', path, message };
    }
    const trace = checkTrace(value);
    const { name, version } = trace.implementation;
    if (name !== this.name || version !== this.version) {
      throw new Error(`an answer by ${name} ${version} from ${this.name} ${this.version}`);
    }
    return { kind: 'trace', trace };
  }

  /** Gives the oldest job its answer. */
  #settle(answer: Answer | undefined): void {
    const job = this.#sent.shift()!;
    this.#sentSize -= job.line.length;
    this.#lastAnswered = job;
    job.resolve(answer);
    if (this.#sent.length + this.#waiting.length === 0) this.#idle?.();
  }

  #gone(child: Child, end: ChildEnd): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    clearTimeout(this.#vectorTimer);
    clearInterval(this.#memoryTimer);
    const failure = child.failure ?? this.#ending(child, end);
    if (failure === undefined) return;
    if (failure.kind === 'surplus' || this.#sent.length === 0) {
      const last = this.#lastAnswered;
      const vector = (last?.vector ?? (last && vectorIn(last.line)))?.name;
      this.#note({ ...failure, ...(vector === undefined ? {} : { vector }) });
    } else {
      this.#blame({ kind: failure.kind, message: `${failure.message}${child.lastWords}` });
    }
    // They keep their order: the ones sent before stand in front again.
    this.#waiting = [...this.#sent, ...this.#waiting];
    this.#sent = [];
    this.#sentSize = 0;
    this.#pump();
  }

  /** What a child that ended by itself did wrong, if anything. */
  #ending(child: Child, end: ChildEnd): Failure | undefined {
    const owed = this.#sent.length;
    const how = wordsOf(end);
    if (child.rest !== '') {
      return { kind: 'truncated', message: `${how} in the middle of a line: ${short(child.rest)}` };
    }
    if (owed === 0) {
      if (child.ending && end.exitCode === 0) return undefined;
      return {
        kind: 'bad-end',
        message: `${how}${child.ending ? ' at the end' : ' with nothing to do'}${child.lastWords}`,
      };
    }
    return { kind: end.signal === undefined ? 'exit' : 'signal', message: `${how} and owed ${owed} answers` };
  }

  /** The oldest job gets the trace of an implementation that gave none. */
  #blame(failure: Failure): void {
    const job = this.#sent[0]!;
    let vector: Vector;
    try {
      vector = job.vector ?? parseVector(job.line);
    } catch (error) {
      this.#note(failure);
      if (error instanceof VectorError) this.#settle({ kind: 'error', path: error.path, message: error.reason });
      else throw error;
      return;
    }
    const incident: Incident = { ...failure, vector: vector.name };
    this.#note(incident);
    const kind = failure.kind === 'timeout' ? 'timeout' : 'crash';
    const trace = silentTrace(this.handshake.implementation, kind, `${failure.kind}: ${failure.message}`, vector);
    this.#settle({ kind: 'trace', trace, incident });
  }

  #note(incident: Incident): void {
    this.incidents.push(incident);
  }

  /** The child cannot be started again: nobody gets an answer. */
  #giveUp(error: unknown): void {
    const jobs = [...this.#sent, ...this.#waiting];
    this.#sent = [];
    this.#waiting = [];
    for (const job of jobs) job.reject(error);
    this.#idle?.();
  }

  #checkMemory(child: Child): void {
    const { pid } = child;
    if (pid === undefined) return;
    void residentBytes(pid).then((bytes) => {
      if (bytes === undefined || bytes <= this.#limits.memory) return;
      const mebibytes = (n: number) => `${Math.round(n / 1024 ** 2)} MiB`;
      const message = `${mebibytes(bytes)} resident, over the limit of ${mebibytes(this.#limits.memory)}`;
      child.fail({ kind: 'memory', message });
    });
  }
}

/** Resident memory of a process, where the system tells. */
async function residentBytes(pid: number): Promise<number | undefined> {
  if (process.platform === 'linux') {
    try {
      const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
    } catch {
      return undefined;
    }
  }
  if (process.platform === 'win32') return undefined;
  const { stdout, failed } = await execa('ps', ['-o', 'rss=', '-p', String(pid)], { reject: false });
  return failed ? undefined : Number(stdout) * 1024;
}

function short(line: string): string {
  const text = JSON.stringify(line.length > 120 ? `${line.slice(0, 120)}…` : line);
  // Marks that turn the direction of the text around are no control characters to JSON.
  return text.replaceAll(/\p{C}/gu, (mark) => `\\u{${mark.codePointAt(0)!.toString(16)}}`);
}
