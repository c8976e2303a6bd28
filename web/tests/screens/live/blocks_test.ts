import assert from "node:assert/strict";
import { test } from "node:test";
import { Blocks } from "../../../src/screens/live/blocks.ts";

const quantum = 128; // how many samples a worklet gets at once

function blocksOf(rate: number, samples: number): { blocks: Int16Array[]; levels: number[] } {
  const maker = new Blocks(rate);
  const found = { blocks: [] as Int16Array[], levels: [] as number[] };
  for (let at = 0; at < samples; at += quantum) {
    const part = Float32Array.from({ length: quantum }, (_, i) => (at + i) / 32767);
    const { level, block } = maker.take(part);
    if (level !== null) found.levels.push(level);
    if (block !== null) found.blocks.push(block);
  }
  return found;
}

for (const rate of [16000, 44100, 48000]) {
  test(`${rate} samples a second come in blocks of 100 ms that lose nothing`, () => {
    const { blocks } = blocksOf(rate, rate / 2);
    assert.ok(blocks.length >= 4);
    assert.ok(blocks.every(({ length }) => length === rate / 10));
    const all = blocks.flatMap((block) => [...block]);
    assert.ok(all.every((sample, place) => sample === place));
  });
}

test("the level comes more often than every 50 ms", () => {
  const { levels } = blocksOf(48000, 48000);
  assert.ok(levels.length >= 20, `${levels.length} in a second`);
});

test("the level is that of the loudest sample since the last one", () => {
  const maker = new Blocks(1000);
  const { level } = maker.take(Float32Array.from({ length: 40 }, (_, i) => (i === 7 ? -0.5 : 0)));
  assert.equal(level, 0.5);
  assert.equal(maker.take(new Float32Array(40)).level, 0);
});

test("samples that are too loud are cut", () => {
  const block = new Blocks(20).take(Float32Array.from([2, -2])).block;
  assert.deepEqual([...(block ?? [])], [32767, -32767]);
});
