import { describe, expect, it } from "vitest";
import type { CellReply } from "../../src/cells/ask-cell.ts";
import { fanOut } from "../../src/cells/fan-out.ts";
import { type ProblemKind, problem } from "../../src/http/contract/problem.ts";

const CELLS = [{ name: "eu" }, { name: "us", url: "https://us.test" }];
const OK = () => replied(new Response('{"items":[]}'));

function replied(response: Response): CellReply {
  return { outcome: "replied", response };
}

function refusal(kind: ProblemKind): CellReply {
  const body = problem(kind, "Because.");
  const headers = { "content-type": "application/problem+json" };
  return replied(new Response(JSON.stringify(body), { status: body.status, headers }));
}

function ask(us: CellReply, eu: CellReply = OK()) {
  const registry = { cells: CELLS, clusters: { dallas: { cell: "us" }, secret: { cell: "us" } } };
  const scope = { grants: [{ cluster: "dallas", namespaces: "all" as const }] };
  const reader = {
    registry,
    scope,
    headers: new Headers(),
    ask: async ({ name }: { name: string }) => (name === "us" ? us : eu),
  };
  return fanOut(reader, CELLS, () => "/v1/jobs");
}

describe("a question to two cells", () => {
  it("is answered by both", async () => {
    expect(await ask(OK())).toMatchObject({ outcome: "answered", unavailable: [], answers: [{ cell: CELLS[0] }, {}] });
  });

  it.each<ProblemKind>(["internal", "issuer-unreachable", "unauthorized", "no-such-route"])(
    "lacks a cell that answers %s",
    async (kind) => {
      expect(await ask(refusal(kind))).toMatchObject({
        outcome: "answered",
        answers: [{ cell: { name: "eu" } }],
        unavailable: [{ cell: "us", clusters: ["dallas"] }],
      });
    },
  );

  it.each<ProblemKind>(["bad-parameter", "bad-cursor", "too-many-requests"])(
    "is refused as a whole for %s",
    async (kind) => {
      expect(await ask(refusal(kind))).toMatchObject({ outcome: "refused", problem: { detail: "Because." } });
    },
  );

  it("has nothing of a cell in which the reader has no grants", async () => {
    const found = await ask(refusal("forbidden"));
    expect(found).toMatchObject({ outcome: "answered", unavailable: [], withoutGrants: [{ name: "us" }] });
    const nothing = await ask(refusal("forbidden"), refusal("forbidden"));
    expect(nothing).toMatchObject({ outcome: "refused", problem: { status: 403 } });
  });

  it("lacks a cell whose answer ends early", async () => {
    expect(await ask(replied(new Response('{"items":[')))).toMatchObject({ unavailable: [{ cell: "us" }] });
  });

  it("is a problem if no cell answers", async () => {
    const silent = { outcome: "unavailable", reason: "It is silent." } as const;
    expect(await ask(silent, silent)).toMatchObject({
      outcome: "refused",
      problem: { status: 503, detail: expect.stringContaining('Cell "eu" is not available: It is silent.') as unknown },
    });
  });
});
