/** A difference in a few words: who, at which boundary, and what each side has there. */

import type { BatchJson, ChannelJson, FlushJson, FrameJson, SingleJson, TraceJson } from '../trace.ts';
import { type Boundary, type Difference, type Group, same } from './compare.ts';

/** The boundary's name and the place in its list. */
export function describePlace({ boundary, index }: Difference): string {
  return index === undefined ? boundary : `${boundary}[${index}]`;
}

/** Who stands alone, or that nobody does. */
export function describeVerdict({ verdict }: Difference): string {
  switch (verdict.kind) {
    case 'outlier':
      return `${verdict.outlier} alone`;
    case 'typescript':
      return 'typescript against both references';
    case 'all':
      return 'all differ';
    case 'pair':
      return 'the two differ';
    default:
      return verdict satisfies never;
  }
}

/** For example: "kona hands on frame 2 of channel …0001 where op-node and typescript hand on nothing". */
export function describeSides(difference: Difference): string {
  // The odd one out comes first, since it is the news.
  const groups = [...difference.groups].reverse();
  return groups.map((group) => describeGroup(group, difference)).join(' where ');
}

const VERBS: Readonly<Record<Boundary, readonly [singular: string, plural: string]>> = {
  frames: ['hands on', 'hand on'],
  channels: ['hands on', 'hand on'],
  batches: ['decodes', 'decode'],
  flushes: ['signals', 'signal'],
  singles: ['emits', 'emit'],
  outcome: ['ends', 'end'],
  safeHead: ['ends at', 'end at'],
};

function describeGroup(group: Group, difference: Difference): string {
  const { implementations, value, silent, outcome } = group;
  const many = implementations.length > 1;
  const subject = many
    ? `${implementations.slice(0, -1).join(', ')} and ${implementations[implementations.length - 1]}`
    : implementations[0];
  if (silent) return `${subject} ${many ? 'give' : 'gives'} no trace (${outcome.kind}${because(outcome)})`;
  const verb = VERBS[difference.boundary][many ? 1 : 0];
  if (value !== undefined) return `${subject} ${verb} ${describeValue(group, difference)}`;
  const early = outcome.kind === 'drained' ? '' : ` (${many ? 'their runs end' : 'its run ends'} as ${outcome.kind})`;
  return `${subject} ${verb} nothing${early}`;
}

function because({ message }: TraceJson['outcome']): string {
  return message === undefined || message === '' ? '' : `: ${cut(message.split('\n', 1)[0]!, 160)}`;
}

function describeValue({ value, outcome }: Group, difference: Difference): string {
  const { boundary } = difference;
  switch (boundary) {
    case 'frames': {
      const { number, channel } = value as FrameJson;
      return `frame ${number} of channel …${channel.slice(-4)}${details(value, difference, ['number'])}`;
    }
    case 'channels':
      return `a channel of ${(value as ChannelJson).size} bytes${details(value, difference, ['size'])}`;
    case 'batches':
      return `a ${(value as BatchJson).kind} batch${details(value, difference, ['kind'])}`;
    case 'flushes':
      return `a flush (${(value as FlushJson).cause})${details(value, difference, ['cause'])}`;
    case 'singles':
      return `the batch for time ${(value as SingleJson).timestamp}${details(value, difference, ['timestamp'])}`;
    case 'outcome':
      return `as ${outcome.kind}${because(outcome)}`;
    case 'safeHead': {
      const { number, hash } = value as TraceJson['safeHead'];
      return `L2 block ${number} ${cut(hash, 10)}`;
    }
    default:
      return boundary satisfies never;
  }
}

/** The fields in which this entry differs from the other groups', apart from those that its description shows. */
function details(value: unknown, { groups }: Difference, shown: readonly string[]): string {
  const entry = value as Readonly<Record<string, unknown>>;
  const others = groups
    .filter((group) => !group.silent && group.value !== value && group.value !== undefined)
    .map((group) => group.value as Readonly<Record<string, unknown>>);
  const parts: string[] = [];
  for (const [field, own] of Object.entries(entry)) {
    const differs = others.some((other) => !same(other[field], own));
    // Where the others have nothing, the origin tells where to look.
    if ((differs && !shown.includes(field)) || (others.length === 0 && field === 'origin')) {
      parts.push(
        describeField(
          field,
          own,
          others.map((other) => other[field]),
        ),
      );
    }
  }
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function describeField(field: string, own: unknown, others: readonly unknown[]): string {
  if (field === 'origin') return `at L1 block ${String(own)}`;
  if (field === 'last') return own === true ? 'last' : 'not last';
  if (Array.isArray(own)) {
    const lists = others.filter((other) => Array.isArray(other));
    if (lists.some((other) => other.length !== own.length)) return `${own.length} ${field}`;
    const index = own.findIndex((item, i) => lists.some((other) => other[i] !== item));
    return `${field}[${index}] ${cut(String(own[index]), 18)}`;
  }
  return `${field} ${cut(String(own), field === 'channel' ? 34 : 10)}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
