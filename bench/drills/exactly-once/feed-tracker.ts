// A process for a drill to kill: sends the segments of recording mixed-2000 to a tracker, twice and in two orders, as
// an exporter does, and delivers the notifications that they cause. It prints the number of turns, and then the number
// of each that it has finished:
// node bench/drills/exactly-once/feed-tracker.ts DATABASE URL FIRST_TURN EARLIER_PROCESSES
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { deliverDue } from "../../../src/notify/outbox/deliver-due.ts";
import type { Receiver } from "../../../src/notify/rules/rules.ts";
import type { OutgoingMessage } from "../../../src/ports/message-sender.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import type { SealedSegment } from "../../../src/segment/segment.ts";
import { createHttpSender } from "../../../src/adapters/webhook/send-message.ts";
import { clusterNamed } from "../../../test/support/facts/names.ts";
import { rulesOf } from "../../../test/support/notify/notified-tracker.ts";
import { receiverOf } from "../../../test/support/notify/opened-receiver.ts";
import { MixedJobs } from "../../../test/support/recordings/mixed-facts.ts";
import { ruleOf } from "../../../test/support/story/notified.ts";
import { shuffled } from "../../measuring/shuffled.ts";

const FACTS_PER_SEGMENT = 250;
const SEGMENTS_PER_TURN = 4;

/** The claim of a process that was killed has ended when the next one delivers. */
const CLAIM_MILLIS = 120_000;

const [database = "", url = "", firstTurn = "0", earlier = "0"] = process.argv.slice(2);
const cluster = clusterNamed("mixed");
const events = await new MixedJobs(() => true).events();
/** The recording's last instant: a Job that ended more than a day before would cause no message. */
const now = events.flat().reduce((latest, { at }) => Math.max(latest, at), 0);
const turns = [...turnsOf(shuffled(events.length), "shuffled00000000"), ...turnsOf(reversed(), "reversed00000000")];

const receivers: readonly Receiver[] = ["pager", "hook"].map((name) => receiverOf({ name, webhook: { url } }));
const rules = rulesOf([ruleOf({ name: "failures", to: receivers.map(({ name }) => name), resolve: true })], {
  receivers,
});
const embedded = openEmbedded(database, { notify: { rules, now: () => now } });
const queue = embedded.queue({ now: () => now, onUnfolded: ([cause]) => fail("A segment was not projected.", cause) });
const sendHttp = createHttpSender();
const ports = {
  ...embedded,
  now: () => now + Number(earlier) * CLAIM_MILLIS,
  backOff: () => 0,
  send: async (message: OutgoingMessage) => {
    if (message.kind !== "http") throw new TypeError("All receivers of this drill are webhooks.");
    return sendHttp(message);
  },
};

console.log(turns.length);
for (const [turn, segments] of turns.entries()) {
  if (turn < Number(firstTurn)) continue;
  const outcomes = await queue.send(segments.map((segment) => ({ ...segment, cluster })));
  if (outcomes.some(({ outcome }) => outcome !== "accepted")) fail("A segment was not accepted.", outcomes);
  for (const receiver of receivers) await deliverAll(receiver);
  console.log(turn);
}
embedded.close();

/** A receiver that fails is tried again at once. */
async function deliverAll(receiver: Receiver): Promise<void> {
  for (;;) {
    const { outcome } = await deliverDue(ports, receiver);
    if (outcome === "idle") return;
  }
}

/**
 * The segments of all events in an order. It is the same in each process, so that the tracker recognizes repeated
 * segments.
 */
function turnsOf(order: readonly number[], session: string): readonly (readonly SealedSegment[])[] {
  const facts = order.flatMap((index): readonly Fact[] => events[index] ?? []);
  const segments: SealedSegment[] = [];
  for (let from = 0; from < facts.length; from += FACTS_PER_SEGMENT) {
    const some = facts.slice(from, from + FACTS_PER_SEGMENT);
    segments.push(sealSegment({ cluster, session, sequence: segments.length, sealedAt: now, facts: some }));
  }
  const grouped: (readonly SealedSegment[])[] = [];
  for (let from = 0; from < segments.length; from += SEGMENTS_PER_TURN) {
    grouped.push(segments.slice(from, from + SEGMENTS_PER_TURN));
  }
  return grouped;
}

function reversed(): readonly number[] {
  return [...events.keys()].toReversed();
}

function fail(message: string, cause: unknown): never {
  throw new Error(message, { cause });
}
