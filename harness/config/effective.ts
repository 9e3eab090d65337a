/** Which values hold, and who says so. */

import type { Command, Option } from 'commander';
import type { LoadedConfig } from './load.ts';
import { type Given, givenFor, optionOf, SETTINGS, type Setting } from './settings.ts';

export interface EffectiveSetting {
  readonly key: string;
  readonly flag: string;
  readonly env: string;
  readonly value: string;
  readonly source: 'flag' | 'environment' | 'configuration' | 'default';
}

/** What commander calls the places that a value can come from. */
const SOURCES: Readonly<Record<string, EffectiveSetting['source']>> = {
  cli: 'flag',
  env: 'environment',
  config: 'configuration',
};

/** Every setting that one of the commands takes, as it is where the command's flags say nothing. */
export function effectiveSettings(
  root: Command,
  env: NodeJS.ProcessEnv,
  loaded: LoadedConfig | undefined,
): EffectiveSetting[] {
  return SETTINGS.flatMap((setting): EffectiveSetting[] => {
    const owner = [root, ...root.commands].find((command) => optionOf(command, setting) !== undefined);
    if (owner === undefined) return [];
    const option = optionOf(owner, setting)!;
    const { key } = setting;
    const base = { key, flag: option.long!, env: setting.env };
    const source = SOURCES[owner.getOptionValueSource(setting.option) ?? ''];
    if (source !== undefined) return [{ ...base, value: String(owner.getOptionValue(setting.option)), source }];
    const given = givenFor(setting, env, loaded);
    return [
      given === undefined
        ? { ...base, value: defaultOf(setting, option), source: 'default' }
        : { ...base, value: textOf(given), source: given.from === 'env' ? 'environment' : 'configuration' },
    ];
  });
}

function textOf({ value }: Given): string {
  return value === false ? 'none' : value.join(', ');
}

function defaultOf({ otherwise }: Setting, { defaultValue }: Option): string {
  return defaultValue === undefined || Array.isArray(defaultValue) ? otherwise : String(defaultValue);
}
