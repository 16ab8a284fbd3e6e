import { describe, expect, it } from "vitest";
import { admitToken, bearerAccess, tokenGrant } from "../../../src/http/access/token-access.ts";
import { readGrants } from "../../../src/query/access/grant-text.ts";

const { scope: eastOnly } = readGrants(["east/*"]);
const access = { kind: "bearer", tokens: [tokenGrant("all", "everything"), tokenGrant("east", eastOnly)] } as const;

describe("a token", () => {
  it.each([
    ["the first", "Bearer all", { scope: "everything", reader: "token 0" }],
    ["the second", "Bearer east", { scope: eastOnly, reader: "token 1" }],
    ["one after several spaces", "Bearer   east  ", { scope: eastOnly, reader: "token 1" }],
    ["one after a scheme in capitals", "BEARER all", { scope: "everything", reader: "token 0" }],
  ])("admits with its own scope: %s", (_, authorization, admission) => {
    expect(admitToken(access, authorization)).toMatchObject({ outcome: "admitted", ...admission });
  });

  it("acknowledges nothing unless its grant says so, and is named by its grant or place", () => {
    const named = tokenGrant("named", "everything", { acknowledges: eastOnly, name: "on-call" });
    const tokens = [...access.tokens, named];
    const admissions = ["east", "named"].map((token) => admitToken({ kind: "bearer", tokens }, `Bearer ${token}`));
    expect(admissions).toMatchObject([
      { acknowledges: { grants: [] }, name: "token 2" },
      { acknowledges: eastOnly, name: "token on-call" },
    ]);
  });

  it.each(["Bearer other", "Bearer all east", "Bearer", "Bearer ", "all", "Basic all", "Digest Bearer all", ""])(
    "is not in the header %j",
    (authorization) => {
      expect(admitToken(access, authorization)).toMatchObject({
        outcome: "refused",
        problem: { status: 401, detail: expect.stringContaining("is not valid for this server") as string },
      });
    },
  );

  it("is asked for where the header is missing", () => {
    expect(admitToken(access, undefined)).toMatchObject({
      outcome: "refused",
      problem: { status: 401, detail: expect.stringContaining("This server requires a token.") as string },
    });
  });

  it("of a server without tokens admits no reader", () => {
    expect(admitToken({ kind: "bearer", tokens: [] }, "Bearer all").outcome).toBe("refused");
  });

  it("is kept only as its hash", () => {
    const [grant] = bearerAccess("secret").tokens;
    expect(Buffer.from(grant?.tokenSha256 ?? []).toString("hex")).toBe(
      "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
    );
    expect(grant).toMatchObject({ scope: "everything", acknowledges: "everything" });
  });
});
