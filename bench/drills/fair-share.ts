// How much of a deployed stage does one client take from other readers? 200 pages and 50 API clients ask as in the
// reference fleet, while one client attacks: without a token at full speed, or with a token from 71 tabs, with and
// without regard to refusals. API Gateway, AWS WAF and Lambda are modelled in virtual time (fair-share/small-stage.ts);
// the limits of a reader are those of the function. All figures repeat exactly.
import { type Received, type Sent, SmallStage, type StageLimits } from "../fair-share/small-stage.ts";
import { VirtualClock } from "../fair-share/virtual-clock.ts";
import { type Measure, report } from "../measuring/measure.ts";

const MINUTES = 5;
/** The attack begins after the first minute, and only what others send after the second one is counted. */
const ATTACK_AT = 60_000;
const COUNTED_FROM = 120_000;
const END = MINUTES * 60_000;
const ROUND_TRIP_MILLIS = 100;
/** Assumed: how long an answer takes. `WIDE` is a list of 500 Jobs. */
const SMALL_MILLIS = 50;
const WIDE_MILLIS = 250;
/** How long clients wait that get no `Retry-After` (client/retrying-fetch.js): between these, on average. */
const BACK_OFF_MILLIS = 1_500;

const BEFORE: StageLimits = { perReader: { requestsPerSecond: 20 }, hasWebAcl: false };
const DEFAULT: StageLimits = { perReader: { timeShare: 0.5 }, hasWebAcl: false };
const WITH_ACL: StageLimits = { ...DEFAULT, hasWebAcl: true };

interface Attack {
  readonly name: string;
  readonly loops: number;
  readonly request: Sent;
  /** Whether the client waits after a refusal, as pages and Outlive's clients do. */
  readonly isPolite: boolean;
}

const READER = { address: "attacker", reader: "attacker" };
const ATTACKS: readonly Attack[] = [
  { name: "no attack", loops: 0, request: { ...READER, millis: 0 }, isPolite: true },
  { name: "71 tabs with a token", loops: 71, request: { ...READER, millis: WIDE_MILLIS }, isPolite: true },
  { name: "71 loops that ignore refusals", loops: 71, request: { ...READER, millis: WIDE_MILLIS }, isPolite: false },
  { name: "no token, 16 loops", loops: 16, request: { address: "attacker", millis: 0 }, isPolite: false },
];

interface Tally {
  sent: number;
  refused: number;
  attackerMillis: number;
}

async function run(limits: StageLimits, attack: Attack): Promise<Tally> {
  const clock = new VirtualClock();
  const stage = new SmallStage(limits, clock);
  const tally: Tally = { sent: 0, refused: 0, attackerMillis: 0 };
  const receive = (sent: Sent): Promise<Received> => stage.receive(sent, (until) => clock.until(until));
  const every = async (reader: string, seconds: number, offset: number): Promise<void> => {
    for (let at = offset * 1_000; at < END; at += seconds * 1_000) {
      await clock.until(at);
      const { outcome } = await receive({ address: reader, reader, millis: SMALL_MILLIS });
      if (at < COUNTED_FROM) continue;
      tally.sent += 1;
      if (outcome === "refused") tally.refused += 1;
    }
  };
  const loop = async (offset: number): Promise<void> => {
    await clock.until(ATTACK_AT + offset);
    while (clock.now < END) {
      const { outcome, ...received } = await receive(attack.request);
      if (outcome === "answered") tally.attackerMillis += attack.request.millis;
      const asked = "retryAfterSeconds" in received ? received.retryAfterSeconds : undefined;
      const pause =
        outcome === "refused" && attack.isPolite ? (asked === undefined ? BACK_OFF_MILLIS : asked * 1_000) : 0;
      await clock.until(clock.now + ROUND_TRIP_MILLIS + pause);
    }
  };
  await clock.run([
    ...Array.from({ length: 200 }, (_, n) => every(`page ${n}`, 30, (30 * n) / 200)),
    ...Array.from({ length: 50 }, (_, n) => every(`client ${n}`, 10, (10 * n) / 50)),
    ...Array.from({ length: attack.loops }, (_, n) => loop(n)),
  ]);
  return tally;
}

const measures: Measure[] = [];
for (const attack of ATTACKS) {
  for (const [name, limits] of [
    ["before", BEFORE],
    ["by default", DEFAULT],
    ["with a web ACL", WITH_ACL],
  ] as const) {
    const { sent, refused, attackerMillis } = await run(limits, attack);
    const of = `${attack.name}, ${name}`;
    measures.push({ name: `${of}: requests of others that are refused`, value: (100 * refused) / sent, unit: "%" });
    if (attack.loops > 0 && attack.request.reader !== undefined) {
      const busy = attackerMillis / (END - ATTACK_AT);
      measures.push({ name: `${of}: instances that the attacker keeps busy`, value: busy, unit: "instances" });
    }
  }
}
report(measures);
