import { createHash } from "node:crypto";
import { Hono } from "hono";
import { listen } from "../../../src/host/server/listen.ts";

/**
 * The part of an OpenID Connect issuer that a page needs: redirects with a code without asking the user, and exchanges
 * the code for a token with the right verifier.
 */
export interface SmallIssuer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function openIssuer(token: string): Promise<SmallIssuer> {
  const challenges = new Map<string, string>();
  const app = new Hono();
  app.get("/authorize", (context) => {
    const {
      code_challenge: challenge = "",
      code_challenge_method: method,
      redirect_uri: back = "",
    } = context.req.query();
    if (method !== "S256") return context.text("only S256", 400);
    const code = `code-${challenges.size}`;
    challenges.set(code, challenge);
    const url = new URL(back);
    url.searchParams.set("code", code);
    url.searchParams.set("state", context.req.query("state") ?? "");
    return context.redirect(url.href);
  });
  app.all("/token", async (context) => {
    context.header("access-control-allow-origin", "*");
    const given = new URLSearchParams(await context.req.text());
    const [code, verifier] = [given.get("code") ?? "", given.get("code_verifier") ?? ""];
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const known = challenges.get(code);
    challenges.delete(code);
    return known === challenge
      ? context.json({ access_token: token, token_type: "Bearer" })
      : context.json({ error: "invalid_grant" }, 400);
  });
  return listen(app, { host: "127.0.0.1", port: 0 });
}
