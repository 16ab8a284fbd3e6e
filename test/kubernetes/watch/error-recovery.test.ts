import { describe, expect, it } from "vitest";
import { type GivenUp, GivenUpError } from "../../../src/kubernetes/connection/request-attempt.ts";
import { ConnectionError, OtherClusterError } from "../../../src/kubernetes/connection/connection-error.ts";
import { CutListError } from "../../../src/kubernetes/watch/list-page.ts";
import { type RequestKind, doubtOfStreams, recoveryFor } from "../../../src/kubernetes/watch/error-recovery.ts";
import { ResponseProblem } from "../../../src/kubernetes/connection/response-problem.ts";
import { BrokenWatchError, ExpiredError } from "../../../src/kubernetes/watch/watch-error.ts";

function answered(status: number): ResponseProblem {
  return new ResponseProblem(`It says ${status}.`, status, undefined);
}

function givenUp(reason: GivenUp): GivenUpError {
  return new GivenUpError(reason, undefined);
}

const expired = new ExpiredError("too old resource version");
const broken = new BrokenWatchError("etcd is away");
const cut = new CutListError("The list is truncated.");
const away = new ConnectionError("No answer.");

describe("the recovery from a failed request", () => {
  it.each<[string, unknown, RequestKind, string]>([
    ["stopped", givenUp("stopped"), "watch", "restart"],
    ["superseded by another epoch", givenUp("superseded"), "probe", "restart"],
    ["taken and not answered", givenUp("unanswered"), "watch", "retry"],
    ["a watch that is idle", givenUp("idle"), "watch", "reopen"],
    ["a list that is idle", givenUp("idle"), "pages", "retry"],
    ["a streaming list that is idle", givenUp("idle"), "streamingList", "retry"],
    ["410 as an event", expired, "watch", "relist"],
    ["410 as a status", answered(410), "watch", "relist"],
    ["410 to a small list, after which no watch can go on", answered(410), "probe", "retry"],
    ["an ERROR event of another kind", broken, "watch", "retryBroken"],
    ["a streaming list that is forbidden as such", answered(422), "streamingList", "restart"],
    ["a bad request, in a streaming list", answered(400), "streamingList", "restart"],
    ["a bad request elsewhere", answered(400), "watch", "retry"],
    ["credentials that expired", answered(401), "watch", "retry"],
    ["a right that is missing", answered(403), "pages", "retryForbidden"],
    ["a version that is not served", answered(404), "probe", "retryOtherVersion"],
    ["too many requests", answered(429), "watch", "retry"],
    ["a server in trouble", answered(503), "streamingList", "retry"],
    ["a connection that broke", away, "watch", "retry"],
    ["a list that was cut", cut, "pages", "retry"],
    ["another cluster", new OtherClusterError("It is another one."), "watch", "none"],
    ["a mistake of ours", new TypeError("x is not a function"), "watch", "none"],
  ])("%s", (_, error, asking, kind) => {
    expect(recoveryFor(error, asking, "https://cluster").kind).toBe(kind);
  });

  it("names the server where the error does not", () => {
    expect(recoveryFor(givenUp("unanswered"), "watch", "https://cluster")).toMatchObject({
      error: { message: "https://cluster accepted a request and sent no response in time." },
    });
  });
});

describe("a doubt about streaming lists", () => {
  it.each<[string, unknown, RequestKind, string]>([
    ["certain where the server forbids the parameter", answered(422), "streamingList", "certain"],
    ["certain where it begins a plain watch, which never ends a list", givenUp("idle"), "streamingList", "certain"],
    ["some where the list expires while it is streamed", expired, "streamingList", "some"],
    ["some where it breaks", broken, "streamingList", "some"],
    ["some where the server is in trouble", answered(500), "streamingList", "some"],
    ["none where a right is missing", answered(403), "streamingList", "none"],
    ["none where the connection breaks", away, "streamingList", "none"],
    ["none where it was stopped", givenUp("stopped"), "streamingList", "none"],
    ["none of a watch, whatever happens to it", expired, "watch", "none"],
  ])("is %s", (_, error, asking, doubt) => {
    expect(doubtOfStreams(error, asking)).toBe(doubt);
  });
});
