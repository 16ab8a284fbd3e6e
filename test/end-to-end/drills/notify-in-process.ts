// A process that ingests the facts of a failing Job and notifies a receiver of it. It is killed with SIGKILL before
// step number KILL_AT: a statement that writes to the database, or a message before or after it was sent. Its clock is
// AHEAD milliseconds ahead.
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { deliverDue } from "../../../src/notify/outbox/deliver-due.ts";
import { Connection } from "../../../src/adapters/sqlite/connection.ts";
import type { OutgoingMessage } from "../../../src/ports/message-sender.ts";
import { createHttpSender } from "../../../src/adapters/webhook/send-message.ts";
import { rulesOf, sendFacts } from "../../support/notify/notified-tracker.ts";
import { failingJob } from "../../support/notify/failing-job.ts";
import { receiverOf } from "../../support/notify/opened-receiver.ts";

const [path = "", url = "", killAt = "", ahead = "0"] = process.argv.slice(2);
const now = (): number => Date.now() + Number(ahead);
let steps = 0;

function step(): void {
  if (String(steps) === killAt) process.kill(process.pid, "SIGKILL");
  steps += 1;
}

const receiver = receiverOf({ name: "hook", webhook: { url } });
const rules = rulesOf(undefined, { receivers: [receiver] });
const embedded = openEmbedded(path, { notify: { rules, now } });
for (const name of ["run", "exec"] as const) {
  const method: unknown = Reflect.get(Connection.prototype, name);
  Reflect.set(Connection.prototype, name, function counted(this: Connection, ...args: readonly unknown[]): unknown {
    step();
    const result: unknown = typeof method === "function" ? Reflect.apply(method, this, [...args]) : undefined;
    return result;
  });
}
for (const [sequence, facts] of failingJob().entries()) await sendFacts(embedded, facts, sequence);
const sendHttp = createHttpSender();
const ports = {
  ...embedded,
  now,
  backOff: () => 0,
  send: async (message: OutgoingMessage) => {
    if (message.kind !== "http") throw new TypeError("the rules have webhooks only");
    step();
    const sent = await sendHttp(message);
    step();
    return sent;
  },
};
while ((await deliverDue(ports, receiver)).outcome === "delivered");
embedded.close();
process.stdout.write(String(steps));
