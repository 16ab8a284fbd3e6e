// How many watch events per second does one core translate into facts: from the bytes of a recording, and from parsed
// objects?
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { readRecording } from "../src/kubernetes/recording/recording.ts";
import { translate } from "../src/kubernetes/translate/translate.ts";
import { median, report } from "./measuring/measure.ts";
import { RECORDING, recordedEvents } from "./measuring/recorded.ts";

const CHUNK_BYTES = 64 * 1024;
const RUNS = 5;

const chunks: Buffer[] = [];
await pipeline(createReadStream(RECORDING), createGunzip(), async (source: AsyncIterable<Buffer>) => {
  for await (const chunk of source) chunks.push(chunk);
});
const bytes = Buffer.concat(chunks);
const events = await recordedEvents();

async function* inChunks(): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}

const fromBytes: number[] = [];
const fromObjects: number[] = [];
for (let run = 0; run < RUNS; run += 1) {
  let began = performance.now();
  let read = 0;
  for await (const item of readRecording(inChunks())) {
    if (!("event" in item)) continue;
    translate(item.event);
    read += 1;
  }
  fromBytes.push((read / (performance.now() - began)) * 1000);

  began = performance.now();
  for (const event of events) translate(event);
  fromObjects.push((events.length / (performance.now() - began)) * 1000);
}
report([
  { name: "translate: bytes per watch event", value: bytes.length / events.length, unit: "B" },
  {
    name: "translate: watch events per second from bytes",
    value: median(fromBytes),
    unit: "events/s",
    goal: ">= 20000",
  },
  {
    name: "translate: watch events per second from objects",
    value: median(fromObjects),
    unit: "events/s",
    goal: ">= 250000",
  },
]);
