import { expect, test } from 'vitest';
import { derive } from '../../src/derive.ts';
import { toHex } from '../../src/encoding/bytes.ts';
import { generateVector } from '../generate/index.ts';
import { Scenario } from '../scenario/scenario.ts';
import { vectorToLine } from '../vector.ts';
import { epochsOf, readBatch, withEpochs, writeBatch } from './batches.ts';
import { readContent, writeContent } from './content.ts';
import { layoutOf, withChannels, withFrames, withItems } from './layout.ts';
import { mapBatches, withReferences } from './references.ts';

const GENERATED = Array.from({ length: 60 }, (_, index) => generateVector(11, index).vector);

test('what is taken apart and put together again is the same', () => {
  for (const vector of GENERATED) {
    const { blocks, channels } = layoutOf(vector);
    expect(vectorToLine(withItems(vector, blocks))).toBe(vectorToLine(vector));
    for (const { data } of channels) {
      const content = readContent(data);
      if (content === undefined) continue;
      expect(readContent(writeContent(content))).toEqual(content);
      for (const batch of content.batches) expect(writeBatch(readBatch(batch))).toEqual(batch);
    }
  }
});

test('an item that stands in two places is changed in one', () => {
  const scenario = new Scenario({ l1Count: 3 });
  const item = scenario.item(...scenario.frames(scenario.channel([scenario.single(scenario.block(6))])));
  const vector = scenario.post(10, item).post(11, item).vector('twice');
  const { channels } = layoutOf(vector);
  expect(channels.map(({ places }) => places[0]!.block)).toEqual([0, 1]);
  const [first] = withFrames(vector, new Map([[channels[0]!.places[0]!, undefined]])).l1;
  expect(first.data).toEqual([]);
  const [, second] = withChannels(vector, new Map([[channels[0]!, undefined]])).l1;
  expect(second!.data).toEqual([item]);
});

test('span batches tell epochs by their last one and by steps', () => {
  const scenario = new Scenario({ l1Times: [1000, 1004, 1008, 1012] });
  const blocks = scenario.blocks(4);
  const model = readBatch(scenario.encode(scenario.span(blocks)));
  if (model.kind !== 'span') throw new Error('expected a span batch');
  const epochs = blocks.map(({ l1Origin }) => l1Origin.number);
  expect(epochsOf(model.span)).toEqual(epochs);
  expect(withEpochs(model.span, epochs)).toEqual(model.span);
  expect(withEpochs(model.span, [1n, 3n, 4n, 5n])).toBeUndefined();
  expect(epochsOf(withEpochs(model.span, [1n, 1n, 2n, 3n])!)).toEqual([1n, 1n, 2n, 3n]);
});

test('when a block loses its transactions, the batches behind it follow', () => {
  const scenario = new Scenario();
  const blocks = scenario.blocks(6);
  const spans = scenario.span([blocks[4]!, blocks[5]!]);
  const batches = [...blocks.slice(0, 4).map((block) => scenario.single(block)), spans];
  const vector = scenario.postBatches(13, batches).vector('deep');
  expect(derive(vector).singles).toHaveLength(6);

  const first = toHex(blocks[0].parentHash);
  const emptied = mapBatches(vector, (model) => {
    if (model.kind !== 'single' || toHex(model.batch.parentHash) !== first) return model;
    return { ...model, batch: { ...model.batch, transactions: [] } };
  });
  expect(derive(emptied).singles).toHaveLength(1);
  expect(derive(withReferences(vector, emptied)).singles).toHaveLength(6);
  expect(withReferences(vector, vector)).toBe(vector);
});
