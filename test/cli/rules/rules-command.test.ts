import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { updateOutbox } from "../../../src/notify/outbox/update-outbox.ts";
import { noteCluster } from "../../../src/projection/project-cluster.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { deliveryOf } from "../../support/notify/sqlite-outbox.ts";
import { example, runOutlive, scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());
const file = join(scratch.path, "rules.yaml");
writeFileSync(
  file,
  `rules: [{ name: problems, to: [hook, pager, chat] }]
receivers:
  - { name: hook, webhook: { url: "https://hooks.example.org/a", secretEnv: HOOK_SECRET } }
  - { name: pager, pagerduty: { keyEnv: PD_KEY } }
  - { name: chat, slack: { urlEnv: SLACK_URL } }
`,
);
const PATIENCE = { timeout: 120_000 };

it("rules check says what is missing, and accepts a valid file", PATIENCE, async () => {
  const missing = await runOutlive(["rules", "check", file], { cwd: scratch.path });
  expect(missing.status).toBe(2);
  expect(missing.stderr).toContain("receivers[0].webhook.secretEnv: The variable HOOK_SECRET is not set.");
  const env = { HOOK_SECRET: "s", PD_KEY: "k", SLACK_URL: "https://slack.example/" };
  const valid = await runOutlive(["rules", "check", file], { cwd: scratch.path, env });
  expect(valid.status).toBe(0);
  expect(valid.stderr).toContain("is valid: 1 rule, 3 receivers.");
});

it("rules test prints the first line of each message to each receiver", PATIENCE, async () => {
  const args = ["rules", "test", file, "--recording", example("deadline.ndjson.gz"), "-o", "json"];
  const { status, stdout } = await runOutlive(args, { cwd: scratch.path });
  expect(status).toBe(0);
  const { messages } = JSON.parse(stdout) as { readonly messages: readonly { receiver: string; message: string }[] };
  expect(new Set(messages.map(({ receiver }) => receiver))).toEqual(new Set(["hook", "pager", "chat"]));
  expect(messages.find(({ receiver }) => receiver === "hook")?.message).toMatch(
    /^opened: Running, but waiting since .*failed before/,
  );
  expect(messages.find(({ receiver }) => receiver === "pager")?.message).toMatch(
    /^trigger: Running, but waiting .*failed before/,
  );
});

it("rules status lists receivers and dead messages", PATIENCE, async () => {
  const database = join(scratch.path, "status.sqlite");
  const embedded = openEmbedded(database);
  const { meta, retry } = embedded;
  await noteCluster(meta, clusterNamed("east"));
  await updateOutbox({ meta, retry, now: () => 0 }, "east#Job#s", (outbox) => {
    outbox.add([deliveryOf("u/1/r/hook")], 0);
    outbox.settle("u/1/r/hook", { outcome: "dead", problem: "status 400" }, 0);
  });
  embedded.close();
  const { stdout, stderr } = await runOutlive(["rules", "status", "--database", database], { cwd: scratch.path });
  expect(stdout).toMatch(/^RECEIVER +WAITING +DELIVERED +SUPPRESSED +DEAD/);
  expect(stdout).toMatch(/hook +0 +0 +0 +1/);
  expect(stderr).toContain("Dead since 1970-01-01T00:00:00Z: u/1/r/hook (status 400).");
});
