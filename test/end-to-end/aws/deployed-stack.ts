import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SSMClient } from "@aws-sdk/client-ssm";
import { readStageOutputs } from "../../../src/adapters/ssm/stage-outputs.ts";
import { AwsResourceMissingError } from "../../../src/adapters/aws/aws-error.ts";
import type { StageOutput } from "../../../src/ports/deployment/outputs.ts";
import { type Emulator, type EmulatorName, startEmulator } from "../../emulators/emulator.ts";

/** What the stage says of itself, as `outlive --stage` sees it. */
export type Outputs = Readonly<Record<StageOutput, string>>;

/** The stack as it is, deployed to an emulator of its own. */
export interface DeployedStack {
  readonly emulator: Emulator;
  readonly stage: string;
  readonly outputs: Outputs;
  /** Where the API answers: what `ApiUrl` says resolves on AWS only. */
  readonly apiUrl: string;
  /** What an AWS client, and `outlive`, need in their environment. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): void;
}

/** Bytes that the CDK may print. */
const MAX_OUTPUT = 64 * 1024 * 1024;
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** A stage that anybody may write to and read. */
export const TRIAL: StageSettings = { stage: "trial", disposable: "true", openMode: "true" };

/** What `cdk deploy -c NAME=VALUE` takes (lib/settings.ts). */
export type StageSettings = Readonly<Record<string, string>> & { readonly stage: string };

/** Lets the AWS clients of this process speak to the deployment: the SDK reads where it is from the environment. */
export function speakTo({ environment }: DeployedStack): void {
  Object.assign(process.env, environment);
}

export interface DeployOptions {
  /** The folder of the release to deploy. @default this one */
  readonly checkout?: string;
  /**
   * Creates what the account has before the stack, with the environment of its clients. Resolves to the settings that
   * name it. @default nothing
   */
  readonly prepare?: (environment: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>>>;
}

/** Starts the emulator, synthesises the stack once, and deploys it as `cdk deploy` does. */
export async function deployStack(
  name: EmulatorName,
  settings = TRIAL,
  { checkout = ROOT, prepare }: DeployOptions = {},
): Promise<DeployedStack> {
  const environment: Readonly<Record<string, string | undefined>> = process.env;
  const emulator = await startEmulator(name, environment);
  const scratch = mkdtempSync(join(tmpdir(), "outlive-aws-"));
  const stop = (): void => {
    emulator.stop();
    rmSync(scratch, { recursive: true, force: true });
  };
  try {
    const prepared = await prepare?.(emulator.environment);
    const outputs = await deploy(
      { scratch, settings: { ...settings, ...prepared }, checkout },
      { ...environment, ...emulator.environment },
    );
    const apiUrl = apiUrlOf(emulator, outputs, settings);
    return { emulator, stage: settings.stage, outputs, apiUrl, environment: emulator.environment, stop };
  } catch (cause) {
    stop();
    throw cause;
  }
}

function apiUrlOf({ endpoint }: Emulator, { RestApiId }: Outputs, { stage }: StageSettings): string {
  return `${endpoint}/_aws/execute-api/${RestApiId}/${stage}`;
}

/** Deploys another stage to the emulator of a deployed stack, as if it were another account. */
export async function deployBeside({ emulator }: DeployedStack, settings: StageSettings): Promise<DeployedStack> {
  const scratch = mkdtempSync(join(tmpdir(), "outlive-aws-"));
  try {
    const environment = { ...process.env, ...emulator.environment };
    const outputs = await deploy({ scratch, settings, checkout: ROOT }, environment);
    const apiUrl = apiUrlOf(emulator, outputs, settings);
    return { emulator, stage: settings.stage, outputs, apiUrl, environment: emulator.environment, stop: () => {} };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Deploys this checkout, or another one, over a deployed stack of another release. */
export async function upgradeStack(
  { environment }: DeployedStack,
  settings = TRIAL,
  { checkout = ROOT }: Pick<DeployOptions, "checkout"> = {},
): Promise<Outputs> {
  const scratch = mkdtempSync(join(tmpdir(), "outlive-aws-"));
  try {
    return await deploy({ scratch, settings, checkout }, { ...process.env, ...environment });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Deploying {
  readonly checkout: string;
  readonly scratch: string;
  readonly settings: StageSettings;
}

async function deploy(
  { scratch, settings, checkout }: Deploying,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Outputs> {
  const stackName = `Outlive-${settings.stage}`;
  const assembly = join(scratch, "cdk.out");
  const outputsFile = join(scratch, "outputs.json");
  const cdk = (...args: readonly string[]) => run(args, { checkout, environment });
  const context = Object.entries(settings).flatMap(([setting, value]) => ["-c", `${setting}=${value}`]);
  await cdk("synth", "--quiet", "--output", assembly, ...context);
  const deployed = ["--app", assembly];
  await cdk("bootstrap", `aws://000000000000/${environment["AWS_REGION"] ?? ""}`, ...deployed);
  await cdk("deploy", stackName, ...deployed, "--require-approval", "never", "--outputs-file", outputsFile);
  const written = JSON.parse(readFileSync(outputsFile, "utf8")) as Readonly<Record<string, Outputs>>;
  const outputs = await outputsOf(settings.stage, environment);
  // An earlier release has outputs of the stack, and no parameter.
  return Object.fromEntries([...Object.entries(written[stackName] ?? {}), ...outputs]) as Outputs;
}

async function outputsOf(stage: string, environment: Readonly<Record<string, string | undefined>>) {
  const { AWS_ENDPOINT_URL: endpoint = "", AWS_REGION: region = "" } = environment;
  const client = new SSMClient({ endpoint, region, credentials: { accessKeyId: "test", secretAccessKey: "test" } });
  try {
    return await readStageOutputs(client, stage);
  } catch (cause) {
    if (cause instanceof AwsResourceMissingError) return new Map<string, string>();
    throw cause;
  }
}

interface Running {
  readonly checkout: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

async function run(args: readonly string[], { checkout, environment }: Running): Promise<void> {
  try {
    await promisify(execFile)(join(ROOT, "node_modules/.bin/cdklocal"), [...args], {
      cwd: checkout,
      env: { ...environment, CI: "true", CDK_DISABLE_VERSION_CHECK: "1" },
      maxBuffer: MAX_OUTPUT,
    });
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const { stdout = "", stderr = "" } = cause as Error & { readonly stdout?: string; readonly stderr?: string };
    throw new DeploymentError(`cdklocal ${args[0] ?? ""}: ${cause.message}\n${`${stdout}\n${stderr}`.slice(-6000)}`);
  }
}

/** The stack could not be deployed. The message ends with what the CDK said last. */
class DeploymentError extends Error {
  override readonly name = "DeploymentError";
}
