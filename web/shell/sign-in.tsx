import { useState } from "preact/hooks";
import type { SignIn as SignInWay } from "../../src/http/page/page-config.ts";
import { beginSignIn, signInFailure } from "../api/oidc.ts";
import { session, signIn } from "../api/session.ts";

/** Asks the reader to sign in. The address contains the previous view and its filters, so they return afterwards. */
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
    ? "The token is invalid or has expired. Sign in again to continue where you were."
    : "This server requires a token.";
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
        The token that the server was started with (<code>outlive serve --token</code>, <code>OUTLIVE_TOKEN</code>). It
        stays in this tab and ends with it.
      </p>
      <p>
        <button type="submit" class="main">
          Sign in
        </button>
      </p>
    </form>
  );
}
