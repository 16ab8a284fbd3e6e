import type { Route } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bearerAccess } from "../../src/http/access/token-access.ts";
import type { GapRecorded } from "../../src/job/model/fact.ts";
import { seeText, skipWithoutBrowser } from "../support/page/browser.ts";
import { eachInItsOwnTab, heading, page } from "../support/page/page-scene.ts";
import { scratchFolder } from "../support/running/run-outlive.ts";
import { servePage, type ServedPage } from "../support/page/served-page.ts";
import { openIssuer, type SmallIssuer } from "../support/page/small-issuer.ts";
import { Story } from "../support/story/story.ts";
import { emptyStores, tell } from "../support/stores/stores-with-facts.ts";

const scratch = scratchFolder();
const stores = emptyStores();
const guarded = emptyStores();
const markup = "<script>document.title='taken'</script><img src=x onerror=alert(1)>";
const rightToLeft = "تقرير-\u202eexe.yrtuo";
const long = `${"very-long-name-".repeat(17)}end`.slice(-253);

let served: ServedPage;
let asking: ServedPage;
let federated: ServedPage;
let issuer: SmallIssuer;

describe.skipIf(skipWithoutBrowser())("the page, when something is wrong", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    for (const [uid, name] of [
      ["plain", "plain"],
      ["markup", markup],
      ["rtl", rightToLeft],
      ["long", long],
    ] as const) {
      await tell(stores, hostileJob(uid, name).facts);
    }
    await tell(stores, [gap()]);
    await tell(guarded, hostileJob("guarded", "guarded").facts);
    served = await servePage({ stores, folder: `${scratch.path}/open` });
    asking = await servePage({
      stores: guarded,
      folder: `${scratch.path}/guarded`,
      access: bearerAccess("right"),
      config: { signIn: { kind: "token" } },
    });
    issuer = await openIssuer("right");
    const signIn = {
      kind: "oidc",
      issuer: issuer.url,
      clientId: "page",
      authorizationEndpoint: `${issuer.url}/authorize`,
      tokenEndpoint: `${issuer.url}/token`,
      scope: "openid",
    } as const;
    const access = bearerAccess("right");
    federated = await servePage({ stores: guarded, folder: `${scratch.path}/federated`, access, config: { signIn } });
  }, 60_000);
  afterAll(async () => {
    await served.close();
    await asking.close();
    await federated.close();
    await issuer.close();
    await scratch.remove();
  });
  eachInItsOwnTab();
  beforeEach(() => served.trouble("none"));

  describe("text from a cluster", () => {
    it("is never markup", async () => {
      await go("#/jobs");
      await page.getByRole("link", { name: markup }).click();
      await heading(`Failed ${markup}`).waitFor();
      expect(await page.locator("main script, main img").count()).toBe(0);
      expect(await page.title()).toContain("<script>");
    });

    it("that is right-to-left is isolated, and direction marks are shown", async () => {
      await go("#/jobs");
      const link = page.getByRole("link", { name: "تقرير-⟨U+202E⟩exe.yrtuo" });
      await link.waitFor();
      expect(await link.locator("bdi").count()).toBe(1);
    });

    it("of 253 characters fits tables and headings", async () => {
      await page.setViewportSize({ width: 390, height: 800 });
      await go("#/jobs");
      await page.getByRole("link", { name: long }).click();
      await heading(`Failed ${long}`).waitFor();
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect(width).toBe(390);
    });
  });

  describe("an incomplete answer", () => {
    it("has a banner above the list, and above the Job with the times", async () => {
      await go("#/jobs");
      await seeText(page, "4 Jobs may be incomplete:");
      await page.getByRole("link", { name: "plain" }).click();
      await seeText(page, "This answer may be incomplete.");
      await seeText(page, /watch closed/);
    });

    it("has its gaps in the clusters view", async () => {
      await go("#/clusters");
      await page.getByRole("grid", { name: "Monitoring gaps" }).getByText("watch closed").waitFor();
      await page.getByRole("img", { name: /^1 gap of east/ }).waitFor();
    });
  });

  describe("an API that fails", () => {
    it.each([
      ["failing", "The store cannot be read now."],
      ["cut", /The response has no reason/],
    ] as const)("is reported in place of the answer (%s), with a button to retry", async (trouble, text) => {
      served.trouble(trouble);
      await go("#/jobs");
      await page.getByRole("alert").getByText(text).waitFor();
      served.trouble("none");
      await page.getByRole("button", { name: "Retry" }).first().click();
      await heading("4 Jobs").waitFor();
    });

    it("keeps the last data, with a banner that shows its time", async () => {
      await go("#/jobs");
      await heading("4 Jobs").waitFor();
      served.trouble("failing");
      await page.keyboard.press("r");
      await seeText(page, /^This data is from \d\d:\d\d:\d\d\.$/);
      await heading("4 Jobs").waitFor();
      served.trouble("none");
      await page.getByRole("button", { name: "Retry now" }).click();
      await page.getByText("This data is from").waitFor({ state: "detached" });
    });

    it("shows that data is loading", async () => {
      served.trouble("holding");
      await go("#/jobs");
      await seeText(page, "Loading the Jobs…");
      served.trouble("none");
      await heading("4 Jobs").waitFor();
    });
  });

  describe("signing in", () => {
    it("needs a valid token, which only this tab stores", async () => {
      await page.goto(`${asking.url}#/jobs?q=guarded`);
      await heading("Sign in").waitFor();
      await page.getByLabel("Token").fill("wrong");
      await page.keyboard.press("Enter");
      await page
        .getByRole("alert")
        .getByText(/is invalid or has expired/)
        .waitFor();
      await page.getByLabel("Token").fill("right");
      await page.keyboard.press("Enter");
      await heading("1 Job").waitFor();
      expect(await page.evaluate("localStorage.length + ':' + sessionStorage.length")).toMatch(/^\d+:1$/);
      await page.getByRole("button", { name: "Sign out" }).click();
      await heading("Sign in").waitFor();
      expect(await page.evaluate("sessionStorage.length")).toBe(0);
    });

    it("returns to the same view after the token expired", async () => {
      await page.goto(`${asking.url}#/job/east/default/guarded`);
      await page.getByLabel("Token").fill("right");
      await page.keyboard.press("Enter");
      await heading("Failed guarded").waitFor();
      asking.trouble("unauthorized");
      await page.keyboard.press("r");
      await heading("Sign in").waitFor();
      asking.trouble("none");
      await page.getByLabel("Token").fill("right");
      await page.keyboard.press("Enter");
      await heading("Failed guarded").waitFor();
    });

    it("is not undone by a late refusal of an earlier request", async () => {
      const late = Promise.withResolvers<void>();
      const holdFirst = async (held: Route): Promise<void> => {
        await late.promise;
        await held.continue();
      };
      await page.route(/\/jobs\/guarded$/u, holdFirst, { times: 1 });
      await page.goto(`${asking.url}#/job/east/default/guarded`);
      await page.getByLabel("Token").fill("right");
      await page.keyboard.press("Enter");
      await heading("Failed guarded").waitFor();
      const refused = page.waitForResponse((response) => response.status() === 401);
      late.resolve();
      await refused;
      const answered = page.waitForResponse((response) => response.url().endsWith("/jobs/guarded"));
      await page.keyboard.press("r");
      expect((await answered).status()).toBe(200);
      expect(await heading("Sign in").count()).toBe(0);
    });
  });

  describe("signing in at an issuer", () => {
    it("returns to the same view, with PKCE, and without a code in the address", async () => {
      await page.goto(`${federated.url}#/job/east/default/guarded`);
      await page.getByRole("button", { name: /^Sign in at 127\.0\.0\.1/ }).click();
      await heading("Failed guarded").waitFor();
      expect(page.url()).toBe(`${federated.url}#/job/east/default/guarded`);
    });

    it("refuses a code that this tab did not request", async () => {
      await page.goto(`${federated.url}?code=stolen&state=guessed`);
      await seeText(page, "This tab did not start the sign-in. Sign in again.");
      expect(page.url()).not.toContain("stolen");
    });
  });

  describe("the stream of changes", () => {
    it("adds a new Job to the list", async () => {
      await go("#/jobs");
      await heading(/^\d Jobs$/).waitFor();
      await tell(stores, hostileJob("new", "came-later").facts, { sealedAt: Date.now() });
      await page.getByRole("link", { name: "came-later" }).waitFor();
    });

    it("resumes after an interruption without missing a change", async () => {
      await go("#/jobs");
      await heading(/^\d Jobs$/).waitFor();
      await tell(stores, hostileJob("before", "before-the-break").facts, { sealedAt: Date.now() });
      await page.getByRole("link", { name: "before-the-break" }).waitFor();
      served.breakStreams();
      await tell(stores, hostileJob("meanwhile", "in-the-break").facts, { sealedAt: Date.now() });
      await page.getByRole("link", { name: "in-the-break" }).waitFor();
      expect(served.resumedFrom.at(-1)).toBeTypeOf("string");
    });
  });
});

const go = (hash: string) => page.goto(`${served.url}${hash}`);

/** A Job that failed, whose name, label and message are an attack. */
function hostileJob(uid: string, name: string): Story {
  const story = new Story(uid);
  story.jobCreated({ backoffLimit: 0 }, { name, labels: { note: name.slice(0, 60) } });
  story.podFails("a", 3, 5, { reason: name.slice(0, 40), message: name });
  story.jobFinished("Failed", "BackoffLimitExceeded", { failed: 1 });
  return story;
}

/** At first there was no watch: the Jobs' whole lives lie in it. */
function gap(): GapRecorded {
  const story = new Story("gap");
  story.jobCreated();
  const [told] = story.facts;
  if (told === undefined) throw new Error("The story told nothing.");
  const { epoch, resourceVersion, at } = told;
  const [from, to] = [at - 60_000, at + 600_000];
  const about = { gapId: "g-1", from, to, resources: ["jobs", "pods"], reason: "watch closed" };
  return { kind: "GapRecorded", epoch, resourceVersion, at: to, ...about };
}
