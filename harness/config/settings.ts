/**
 * The options that need not be given on the command line: a flag goes before the environment, the environment before the
 * configuration, and that before the default. One table for all commands: an option of this name takes its value here.
 */

import { type Command, Help, InvalidArgumentError, type Option } from 'commander';
import { FileError, HolodiffError } from '../errors.ts';
import { IS_CHECKOUT } from '../places.ts';
import type { HolodiffConfig } from './define.ts';
import type { LoadedConfig } from './load.ts';

type SettingKey = Exclude<keyof HolodiffConfig, 'adapters'>;

export interface Setting {
  /** The field of the configuration. */
  readonly key: SettingKey;
  /** The option that it stands for, as commander calls its value. */
  readonly option: string;
  readonly env: string;
  /** The default, where the option itself has none. */
  readonly otherwise: string;
  /** A list: in the environment with commas. */
  readonly list?: true;
  /** Flags that decide the same: when one of them is given, only a flag counts here. */
  readonly yieldsTo?: readonly string[];
  /** Commands whose option of this name asks for something else. */
  readonly except?: readonly string[];
}

export const SETTINGS: readonly Setting[] = [
  {
    key: 'implementations',
    option: 'implementation',
    env: 'HOLODIFF_IMPLEMENTATION',
    otherwise: 'typescript, kona, op-node',
    list: true,
    // A campaign goes on with those that it began with; a command judges alone.
    yieldsTo: ['resume', 'command'],
    // There one answers, references are asked in addition, or the flag says which versions.
    except: ['derive', 'record', 'variant', 'versions'],
  },
  { key: 'variant', option: 'variant', env: 'HOLODIFF_VARIANT', otherwise: 'none', except: ['derive'] },
  { key: 'timeout', option: 'timeout', env: 'HOLODIFF_TIMEOUT', otherwise: 'none' },
  { key: 'memory', option: 'memory', env: 'HOLODIFF_MEMORY', otherwise: 'none' },
  { key: 'seed', option: 'seed', env: 'HOLODIFF_SEED', otherwise: '1', yieldsTo: ['resume', 'exhaustive'] },
  { key: 'known', option: 'known', env: 'HOLODIFF_KNOWN', otherwise: 'vectors/known-divergences.json', list: true },
  { key: 'findings', option: 'findings', env: 'HOLODIFF_FINDINGS', otherwise: 'findings' },
  {
    key: 'buildDir',
    option: 'buildDir',
    env: 'HOLODIFF_BUILD_DIR',
    otherwise: IS_CHECKOUT ? '.build' : 'the cache of the user',
  },
  { key: 'reporters', option: 'reporter', env: 'HOLODIFF_REPORTER', otherwise: 'text', list: true },
];

/** The option of a command that a setting gives a value to. */
export function optionOf(command: Command, { option, except = [] }: Setting): Option | undefined {
  if (except.includes(command.name())) return undefined;
  return command.options.find((one) => !one.negate && one.attributeName() === option);
}

/** How a command's help describes options: with the variable that can stand in for the flag. */
export function describeOptionsOf(command: Command): (option: Option) => string {
  return (option) => {
    const text = new Help().optionDescription(option);
    const owners = command.parent === null ? [command] : [command, command.parent];
    const setting = SETTINGS.find((one) => owners.some((owner) => optionOf(owner, one) === option));
    return setting === undefined ? text : `${text} [${setting.env}]`;
  };
}

/** A value that is not a flag's, as the words that the flag would have. */
export interface Given {
  readonly from: 'env' | 'config';
  /** `false` as `--no-…` says it. */
  readonly value: readonly string[] | false;
  /** The error that names its place. */
  readonly refuse: (message: string) => HolodiffError;
}

/** What environment and configuration say of a setting. An empty variable says nothing. */
export function givenFor(
  setting: Setting,
  env: NodeJS.ProcessEnv,
  loaded: LoadedConfig | undefined,
): Given | undefined {
  const variable = env[setting.env];
  if (variable !== undefined && variable !== '') {
    const words = setting.list === true ? variable.split(',').map((word) => word.trim()) : [variable];
    return {
      from: 'env',
      value: words.filter((word) => word !== ''),
      refuse: (message) => new HolodiffError('bad-option', `${setting.env}: ${message}`),
    };
  }
  const field = loaded?.config[setting.key];
  if (loaded === undefined || field === undefined) return undefined;
  const value = field === false ? field : Array.isArray(field) ? (field as readonly string[]) : [String(field)];
  const refuse = (message: string) => new FileError('invalid-file', loaded.file, `${setting.key}: ${message}`);
  return { from: 'config', value, refuse };
}

/** Gives a command and its parents the values of the settings that its flags leave open. */
export function applySettings(command: Command, env: NodeJS.ProcessEnv, loaded: LoadedConfig | undefined): void {
  for (let one: Command | null = command; one !== null; one = one.parent) {
    for (const setting of SETTINGS) apply(one, setting, env, loaded);
  }
  if (loaded !== undefined) configs.set(rootOf(command), loaded);
  nameAdapters(command, adaptersOf(command));
}

const configs = new WeakMap<Command, LoadedConfig>();

/** The configuration that was applied to a command. */
export function configOf(command: Command): LoadedConfig | undefined {
  return configs.get(rootOf(command));
}

/** The programs that it names. */
export function adaptersOf(command: Command): Readonly<Record<string, string>> {
  return configOf(command)?.config.adapters ?? {};
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function apply(command: Command, setting: Setting, env: NodeJS.ProcessEnv, loaded: LoadedConfig | undefined): void {
  const option = optionOf(command, setting);
  if (option === undefined || isFlagged(command, setting.option)) return;
  if (setting.yieldsTo?.some((flag) => isFlagged(command, flag)) === true) return;
  const given = givenFor(setting, env, loaded);
  if (given === undefined) return;
  const value = given.value === false ? false : parse(option, given.value, given.refuse);
  command.setOptionValueWithSource(setting.option, value, given.from);
}

function isFlagged(command: Command, option: string): boolean {
  return command.getOptionValueSource(option) === 'cli';
}

/** The value as the flag's own parser reads it. */
function parse(option: Option, words: readonly string[], refuse: Given['refuse']): unknown {
  let value: unknown = option.defaultValue;
  for (const word of words) {
    try {
      value = option.parseArg === undefined ? word : option.parseArg(word, value as never);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw refuse(`${error.message.replace(/\.$/, '')}, got ${JSON.stringify(word)}`);
    }
  }
  return value;
}

/** Puts the command behind a name that the configuration knows, wherever implementations are named. */
function nameAdapters(command: Command, adapters: Readonly<Record<string, string>>): void {
  const named = command.getOptionValue('implementation') as unknown;
  if (named === undefined) return;
  const source = command.getOptionValueSource('implementation');
  const value = Array.isArray(named)
    ? (named as readonly string[]).map((name) => specOf(name, adapters))
    : specOf(named as string, adapters);
  command.setOptionValueWithSource('implementation', value, source);
}

/** `NAME=COMMAND` for a name of the configuration; any other as it is. */
export function specOf(name: string, adapters: Readonly<Record<string, string>>): string {
  return Object.hasOwn(adapters, name) ? `${name}=${adapters[name]!}` : name;
}
