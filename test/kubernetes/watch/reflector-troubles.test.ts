import { describe, expect, it } from "vitest";
import { clock, NOW, retry, server } from "../../support/kubernetes/cluster-scene.ts";
import { type Asked, status, watchOf } from "../../support/kubernetes/fake-api-server.ts";
import { begin, oops, pod, run, SILENT } from "../../support/kubernetes/reflector-scene.ts";

function isListOfPods({ what, resource }: Asked): boolean {
  return what === "list" && resource === "pods";
}

describe("a failing server", () => {
  it.each([
    ["429 with Retry-After", status(429, "too many requests", { "retry-after": "7" }), 7000, "(429)"],
    ["500", status(500, "etcdserver: request timed out"), 500, "etcdserver: request timed out"],
    ["503 with Retry-After", status(503, "apiserver is shutting down", { "retry-after": "2" }), 2000, "shutting down"],
    ["504", status(504, "Too large resource version: 9, current: 7"), 500, "(504)"],
  ])("that responds with %s is requested again later", async (_, answer, wait, said) => {
    server.next("streamingList", "pods", answer);
    begin();
    await retry(wait);
    await run.watching();
    const [problem] = run.newsOf("problem");
    expect(problem?.message).toContain(said);
    expect(problem?.retryInMillis).toBe(wait);
  });

  it("that answers every watch with 410 is asked less and less often", async () => {
    server.next("streamingList", "pods", status(422, "no"));
    server.compactedTo = 1_000_000;
    begin();
    const counts: number[] = [];
    for (const wait of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      await clock.armed(wait);
      counts.push(server.asked.filter(isListOfPods).length);
      await clock.advance(wait);
    }
    expect(counts).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(run.newsOf("problem").at(-1)).toMatchObject({ retryInMillis: 30_000 });
  });

  it("that responds with a login page is reported with advice", async () => {
    server.next("streamingList", "pods", (response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>Please log in</html>");
    });
    begin();
    await retry(500);
    await run.watching();
    expect(run.newsOf("problem")[0]?.message).toContain("text/html instead of JSON (200). Check for a proxy");
  });

  it("that accepts a request and never responds is requested again", async () => {
    server.next("streamingList", "pods", () => undefined);
    const asked = server.request("streamingList", "pods");
    begin();
    await asked;
    await clock.advance(65_000);
    await retry(500);
    await run.watching();
    expect(run.newsOf("problem")[0]?.message).toContain("sent no response in time");
  });

  it("that stops in the middle of a list is requested again", async () => {
    server.next("streamingList", "pods", status(422, "no"));
    server.next("list", "pods", (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write(`{"kind":"PodList","metadata":{"resourceVersion":"101"},"items":[`);
    });
    const asked = server.request("list", "pods");
    begin();
    await asked;
    await clock.armed(SILENT);
    await clock.advance(SILENT);
    await retry(500);
    await run.watching();
    expect(run.newsOf("problem")[0]?.message).toContain("in the middle of a response");
  });

  it("whose watch breaks three times at one resourceVersion is listed again, with a gap", async () => {
    begin();
    await run.watching();
    server.put("pods", pod("a"));
    await run.until(() => run.seen.length === 1);
    for (let times = 0; times < 2; times += 1) server.next("watch", "pods", watchOf([oops()]));
    server.send("pods", oops());
    await retry(500);
    await retry(1000);
    await retry(2000);
    await run.until(() => run.lists.length === 2);
    expect(run.lists[1]?.gap?.reason).toContain("failed repeatedly to continue from resourceVersion 101");
  });

  it("whose lines are garbled is watched again from the last valid one", async () => {
    begin();
    await run.watching();
    server.send("pods", "<html>502</html>");
    await retry(500);
    await run.watching(2);
    expect(run.newsOf("problem")[0]?.message).toContain("The watch received invalid data");
    expect(run.lists).toHaveLength(1);
  });

  it("that is unreachable is reported, and watched again after its return", async () => {
    const url = server.url;
    begin();
    await run.watching();
    server.next("probe", "pods", (response) => response.destroy());
    server.end("pods");
    await clock.advance(0);
    await retry(500);
    expect(run.newsOf("problem")[0]?.message).toContain(url);
    await run.watching(1);
  });
});

describe("a server that denies access", () => {
  it("is reported with the missing rule, and its gap in pieces that double", async () => {
    for (let times = 0; times < 12; times += 1) server.next("streamingList", "pods", status(403, "forbidden"));
    begin();
    for (const wait of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000]) {
      await retry(wait);
    }
    await run.watching();
    expect(run.newsOf("problem")[0]?.message).toContain(
      `Grant {apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"]} in a ClusterRole.`,
    );
    const pieces = run.steps.flatMap((step) => (step.kind === "gap" ? [step.gap] : []));
    expect(pieces.map(({ from, to }) => [from - NOW, to - NOW])).toEqual([
      [0, 61_500],
      [61_000, 181_500],
    ]);
    expect(run.lists[0]?.gap?.from).toBe(NOW + 181_000);
  });

  it("is reported with a Role where one namespace is watched, and with the group of Jobs", async () => {
    server.next("streamingList", "jobs", status(403, "forbidden"));
    begin({ resource: "jobs", namespace: "night" });
    await retry(500);
    await run.watching();
    expect(run.newsOf("problem")[0]?.message).toContain(
      `access denied (403). Grant {apiGroups: ["batch"], resources: ` +
        `["jobs"], verbs: ["get", "list", "watch"]} in a Role in night.`,
    );
  });

  it("is reported as requested without credentials if the user is anonymous", async () => {
    const said = 'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group ""';
    server.next("streamingList", "pods", status(403, said));
    begin();
    await run.until(() => run.newsOf("problem").length > 0);
    expect(run.newsOf("problem")).toMatchObject([
      {
        message:
          `${server.url} received a request for pods without credentials ` +
          "(403). Check the context's user in the kubeconfig.",
      },
    ]);
  });

  it("because of credentials is requested again with the current ones", async () => {
    server.next("streamingList", "pods", (response, asked) => {
      server.kubeconfig({ token: "renewed" });
      status(401, "Unauthorized")(response, asked);
    });
    begin();
    await retry(500);
    await run.watching();
    expect(server.asked.at(-1)?.headers.authorization).toBe("Bearer renewed");
    expect(run.newsOf("problem")[0]?.message).toContain("refused the credentials (401)");
  });

  it("because of the API version is requested for an older one", async () => {
    server.next("streamingList", "cronjobs", status(404, "the server could not find the requested resource"));
    begin({ resource: "cronjobs" });
    await retry(500);
    await run.watching();
    expect(server.asked.at(-1)?.path).toBe("/apis/batch/v1beta1/cronjobs");
  });
});
