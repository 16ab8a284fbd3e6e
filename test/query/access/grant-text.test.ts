import { describe, expect, it } from "vitest";
import { readGrants } from "../../../src/query/access/grant-text.ts";

describe("grants", () => {
  it.each([
    ["a namespace", ["east/mine"], { grants: [{ cluster: "east", namespaces: ["mine"] }] }],
    ["a cluster", ["east/*"], { grants: [{ cluster: "east", namespaces: "all" }] }],
    ["everything", ["*"], "everything"],
    ["everything beside something", ["east/mine", "*"], "everything"],
    ["nothing", [], { grants: [] }],
  ])("of %s are read", (_, texts, scope) => {
    expect(readGrants(texts)).toEqual({ scope, acknowledges: { grants: [] }, refused: [] });
  });

  it.each([
    ["a namespace", ["acknowledge:east/mine"], { grants: [{ cluster: "east", namespaces: ["mine"] }] }],
    ["a cluster", ["acknowledge:east/*"], { grants: [{ cluster: "east", namespaces: "all" }] }],
    ["everything", ["acknowledge:*"], "everything"],
  ])("to acknowledge in %s show nothing", (_, texts, acknowledges) => {
    expect(readGrants(texts)).toEqual({ scope: { grants: [] }, acknowledges, refused: [] });
    expect(readGrants([...texts, "*"])).toEqual({ scope: "everything", acknowledges, refused: [] });
  });

  it.each([
    "",
    "/",
    "east",
    "east/",
    "/mine",
    "*/mine",
    "*/*",
    "**",
    " *",
    "* ",
    "east/mine/report",
    "east/*/x",
    "east/min*",
    "ea*/mine",
    "east/Mine",
    "east/mi_ne",
    "east/-mine",
    "east/..",
    "east#/mine",
    "../mine",
    "east/mine ",
    "east/mine\n",
    "east/" + "a".repeat(64),
    "acknowledge:",
    "acknowledge:east",
    "acknowledge: *",
    "acknowledge:acknowledge:*",
    "Acknowledge:*",
    "acknowledge:*/mine",
    "write:*",
  ])("of %j are none, and grant nothing", (text) => {
    expect(readGrants([text])).toEqual({ scope: { grants: [] }, acknowledges: { grants: [] }, refused: [text] });
  });

  it("that are none take nothing from those beside them", () => {
    expect(readGrants(["*x", "east/mine"])).toMatchObject({
      scope: { grants: [{ cluster: "east", namespaces: ["mine"] }] },
      refused: ["*x"],
    });
  });
});
