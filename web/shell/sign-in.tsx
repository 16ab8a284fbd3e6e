import { useState } from "preact/hooks";
import type { SignIn as SignInWay } from "../../src/http/page/page-config.ts";
import { beginSignIn, signInFailure } from "../ask/oidc.ts";
import { session, signIn } from "../ask/session.ts";

/** Asks who the reader is. What was shown before, and its filters, come back afterwards: they are in the address. */
export function SignIn({ way }: { readonly way: SignInWay | undefined }) {
  return (
    <section class="sign-in panel">
      <div class="inside">
        <h1>Sign in</h1>
        <p role={session.value === "refused" ? "alert" : undefined}>{reason()}</p>
        {way === undefined ? null : way.kind === "oidc" ? <OidcButton way={way} /> : <TokenForm />}
      </div>
    </section>
  );
}

function reason(): string {
  if (signInFailure.value !== undefined) return signInFailure.value;
  return session.value === "refused"
    ? "The token is not taken, or not any more. Sign in again to go on where you were."
    : "This server answers who has a token.";
}

function OidcButton({ way }: { readonly way: Extract<SignInWay, { kind: "oidc" }> }) {
  return (
    <p>
      <button type="button" class="main" onClick={() => void beginSignIn(way)}>
        Sign in at {new URL(way.authorizationEndpoint).host}
      </button>
    </p>
  );
}

function TokenForm() {
  const [token, setToken] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    if (token.trim() !== "") signIn(token.trim());
  };
  return (
    <form onSubmit={submit}>
      <label class="field">
        Token
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <p class="quiet small">
        The one that the server was started with (<code>outlive serve --token</code>, <code>OUTLIVE_TOKEN</code>). It is
        kept in this tab only, until it is closed.
      </p>
      <p>
        <button type="submit" class="main">
          Sign in
        </button>
      </p>
    </form>
  );
}
