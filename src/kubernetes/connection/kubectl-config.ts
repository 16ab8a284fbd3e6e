import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { KubeConfig, type User } from "@kubernetes/client-node";
import { parse } from "yaml";
import { ExecPluginUsers, withExecPlugin } from "./exec-plugin-users.ts";
import { fieldsOf, itemsOf, textOf } from "../json/json-field.ts";

/**
 * client-node's KubeConfig with the `tokenFile` of each user, as kubectl reads it: relative to the kubeconfig,
 * and preferred to `token`. client-node (2.0.1) supports only `token-file`, which kubectl does not know,
 * and otherwise sends no credentials. Of several files in `$KUBECONFIG`, only the first is handled.
 */
export class KubectlConfig extends KubeConfig {
  constructor() {
    super();
    this.addAuthenticator(new ExecPluginUsers());
  }

  /** Its plugin runs within limits (exec-plugin.ts). */
  override getCurrentUser(): User | null {
    const user = super.getCurrentUser();
    return user === null ? null : withExecPlugin(user);
  }

  override loadFromFile(...[file, options]: Parameters<KubeConfig["loadFromFile"]>): void {
    super.loadFromFile(file, options);
    const tokenFiles = tokenFilesIn(readFileSync(file, "utf8"));
    this.users = this.users.map((user) => {
      const tokenFile = tokenFiles.get(user.name);
      if (tokenFile === undefined) return user;
      const { token: _, ...others } = user;
      return {
        ...others,
        authProvider: { name: "tokenFile", config: { tokenFile: resolve(dirname(file), tokenFile) } },
      };
    });
  }
}

/** Token files by the name of their user. */
function tokenFilesIn(text: string): ReadonlyMap<string, string> {
  const users = itemsOf(fieldsOf(parse(text))["users"]).map(fieldsOf);
  return new Map(
    users.flatMap(({ name, user }) => {
      const tokenFile = textOf(fieldsOf(user)["tokenFile"]);
      return typeof name === "string" && tokenFile !== undefined ? [[name, tokenFile] as const] : [];
    }),
  );
}
