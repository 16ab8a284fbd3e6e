import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { type Context, flagOf, InvalidSettingsError } from "../lib/context-values.ts";
import { readStage } from "../lib/settings.ts";
import { rejectUnknownSettings } from "./setting-names.ts";
import { StageStack } from "./stage-stack.ts";

try {
  const app = new App({ analyticsReporting: false });
  rejectUnknownSettings(Object.keys(app.node.getAllContext() as object));
  const context: Context = (name) => app.node.tryGetContext(name) as unknown;
  const terminationProtection = !flagOf(context, "disposable");
  new StageStack(app, `Outlive-${readStage(context)}`, { context, terminationProtection });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} catch (cause) {
  if (!(cause instanceof InvalidSettingsError)) throw cause;
  process.stderr.write(`${cause.message}\n`);
  process.exitCode = 1;
}
