import type { RequestOptions } from "node:https";
import type { KubeConfig, User } from "@kubernetes/client-node";
import { fieldsOf } from "../json/json-field.ts";
import { type ExecCredential, runExecPlugin } from "./exec-plugin.ts";

/** client-node does not export it. */
type Authenticator = Parameters<KubeConfig["addAuthenticator"]>[0];

const PROVIDER = "outlive-exec-plugin";

/** The user, with its plugin under a name that client-node does not run itself. */
export function withExecPlugin(user: User): User {
  const exec: unknown = user.exec ?? legacyExec(user);
  if (exec === undefined) return user;
  return { ...user, exec: undefined, authProvider: { name: PROVIDER, config: { plugin: exec } } };
}

/** Some kubeconfigs have the plugin in `auth-provider`, as client-node also reads it. */
function legacyExec({ authProvider }: User): unknown {
  return fieldsOf(fieldsOf(authProvider)["config"])["exec"];
}

/** Adds the credentials of plugins to requests. Runs a plugin once for all requests that wait for it. */
export class ExecPluginUsers implements Authenticator {
  readonly #credentials = new Map<string, Promise<ExecCredential>>();

  isAuthProvider({ authProvider }: User): boolean {
    return fieldsOf(authProvider)["name"] === PROVIDER;
  }

  async applyAuthentication(user: User, options: RequestOptions): Promise<void> {
    const { token, certificate, key } = await this.#credentialOf(user);
    if (certificate !== undefined && key !== undefined) Object.assign(options, { cert: certificate, key });
    if (token === undefined) return;
    options.headers ??= {};
    // The caller reads them from its own object.
    Object.assign(options.headers, { Authorization: `Bearer ${token}` });
  }

  async #credentialOf(user: User): Promise<ExecCredential> {
    const { name } = user;
    const running = this.#credentials.get(name);
    if (running !== undefined) {
      const credential = await running;
      if (credential.expiresAt === undefined || credential.expiresAt > Date.now()) return credential;
      if (this.#credentials.get(name) === running) this.#credentials.delete(name);
      return this.#credentialOf(user);
    }
    const started = runExecPlugin(fieldsOf(fieldsOf(user.authProvider)["config"])["plugin"]);
    this.#credentials.set(name, started);
    try {
      return await started;
    } catch (cause) {
      this.#credentials.delete(name);
      throw cause;
    }
  }
}
