import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { InvalidSettingsError } from "../lib/context-values.ts";
import { OutliveStack } from "../lib/outlive-stack.ts";
import { readSettings, rejectUnknownSettings } from "../lib/settings.ts";
import { stackName } from "../src/ports/deployment/outputs.ts";

try {
  const app = new App({ analyticsReporting: false });
  rejectUnknownSettings(Object.keys(app.node.getAllContext() as object));
  const settings = readSettings((name) => app.node.tryGetContext(name));
  new OutliveStack(app, stackName(settings.stage), { settings, terminationProtection: !settings.disposable });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} catch (cause) {
  if (!(cause instanceof InvalidSettingsError)) throw cause;
  process.stderr.write(`${cause.message}\n`);
  process.exitCode = 1;
}
