import { expect, test } from 'vitest';
import type { Frame } from '../frame.ts';
import { l1, specOf } from '../rules/fixtures/environment.ts';
import type { Variant } from '../rules/rule-book.ts';
import { ChannelProvider } from './channel-provider.ts';
import { END_OF_DATA, type Pull } from './pull.ts';

const ID = new Uint8Array(16);
const frame = (number: number, last = false): Frame => ({ channel: ID, number, data: Uint8Array.of(number), last });

/** The channels that come out when Holocene activates between the two lists of frames. */
function acrossActivation(before: readonly Frame[], after: readonly Frame[], variant?: Variant): number[][] {
  const queue = [...before];
  const next = (): Pull<Frame> => {
    const value = queue.shift();
    return value === undefined ? END_OF_DATA : { kind: 'value', value };
  };
  const provider = new ChannelProvider({ origin: l1(11), next }, specOf(variant === undefined ? {} : { variant }));
  const channels: number[][] = [];
  const drain = () => {
    for (let pulled = provider.next(); pulled.kind !== 'endOfData'; pulled = provider.next()) {
      if (pulled.kind === 'value') channels.push([...pulled.value]);
    }
  };
  drain();
  provider.activateHolocene();
  queue.push(...after);
  drain();
  return channels;
}

test('a channel that stands open at the activation is lost', () => {
  expect(acrossActivation([frame(0)], [frame(1, true)])).toEqual([]);
});

test('it may be sent again from frame 0', () => {
  expect(acrossActivation([frame(0)], [frame(0), frame(1, true)])).toEqual([[0, 1]]);
});

test('a complete channel was read before', () => {
  expect(acrossActivation([frame(1, true), frame(0)], [frame(0, true)])).toEqual([[0, 1], [0]]);
});

test('a variant can let the open channel go on', () => {
  const variant: Variant = { name: 'kept', rules: { 'activation/channels-dropped': 'never' } };
  expect(acrossActivation([frame(0)], [frame(1, true)], variant)).toEqual([[0, 1]]);
});
