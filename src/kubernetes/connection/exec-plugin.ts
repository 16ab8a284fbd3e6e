import { execFile } from "node:child_process";
import { childEnvironment } from "./child-environment.ts";
import { fieldsOf, isObject, itemsOf, textOf } from "../json/json-field.ts";

/** The `exec` of a kubeconfig's user. Its fields are unchecked. */
export type ExecConfig = unknown;

/** What a plugin returned. */
export interface ExecCredential {
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
  /** Milliseconds since 1970. Absent: it does not expire. */
  readonly expiresAt?: number;
}

/** A plugin did not return a credential. The message contains nothing that the plugin printed. */
class ExecPluginError extends Error {
  override readonly name = "ExecPluginError";
}

/** A plugin that signs in over the network takes seconds. Without a limit, one that hangs stops the watch for ever. */
const LIMIT_MILLIS = 60_000;
/** A credential has some KiB. */
const MOST_BYTES = 1024 * 1024;

/**
 * Runs a credential plugin (KEP-541). client-node runs it without a limit of time or output, and puts what it printed
 * into its error, which can be a credential. Throws ExecPluginError.
 */
export async function runExecPlugin(exec: ExecConfig, limitMillis = LIMIT_MILLIS): Promise<ExecCredential> {
  const { command: configured, args, env } = fieldsOf(exec);
  const command = textOf(configured);
  if (command === undefined) {
    throw new ExecPluginError("The exec plugin of the kubeconfig has no command. Set exec.command of its user.");
  }
  const variables = itemsOf(env).map((entry) => [String(fieldsOf(entry)["name"]), String(fieldsOf(entry)["value"])]);
  const output = await outputOf(command, {
    args: itemsOf(args).map(String),
    env: childEnvironment(Object.fromEntries(variables) as Record<string, string>),
    limitMillis,
  });
  return credentialIn(output, command);
}

interface Execution {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly limitMillis: number;
}

function outputOf(command: string, { args, env, limitMillis }: Execution): Promise<string> {
  const options = {
    env,
    timeout: limitMillis,
    maxBuffer: MOST_BYTES,
    killSignal: "SIGKILL",
    windowsHide: true,
  } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(new ExecPluginError(`Exec plugin ${command} ${failureOf(error, limitMillis)} ${ADVICE}`));
    });
    child.stdin?.end();
  });
}

const ADVICE = "Run its command by hand to see why.";

/** Node's message contains what the plugin printed, so it is not used, not even as the cause. */
function failureOf({ code, killed, signal }: Failure, limitMillis: number): string {
  if (code === "ENOENT") return "does not exist. Install it, or correct the kubeconfig.";
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `printed more than ${MOST_BYTES} bytes.`;
  if (killed === true) return `did not end within ${limitMillis / 1000} s.`;
  if (typeof code === "number") return `ended with status ${code}.`;
  return `failed (${code ?? signal ?? "unknown"}).`;
}

interface Failure {
  readonly code?: string | number | null | undefined;
  readonly killed?: boolean | undefined;
  readonly signal?: NodeJS.Signals | null | undefined;
}

function credentialIn(output: string, command: string): ExecCredential {
  const status = fieldsOf(fieldsOf(parsed(output))["status"]);
  const [token, certificate, key] = ["token", "clientCertificateData", "clientKeyData"].map((field) =>
    textOf(status[field]),
  );
  if (token === undefined && (certificate === undefined || key === undefined)) {
    throw new ExecPluginError(
      `Exec plugin ${command} printed no ExecCredential with a token or a certificate. ${ADVICE}`,
    );
  }
  const expiresAt = Date.parse(textOf(status["expirationTimestamp"]) ?? "");
  return {
    ...(token !== undefined && { token }),
    ...(certificate !== undefined && key !== undefined && { certificate, key }),
    ...(!Number.isNaN(expiresAt) && { expiresAt }),
  };
}

/** The error of JSON.parse quotes the text, which can be a credential. */
function parsed(output: string): unknown {
  try {
    const value: unknown = JSON.parse(output);
    return isObject(value) ? value : {};
  } catch (cause) {
    if (cause instanceof SyntaxError) return {};
    throw cause;
  }
}
