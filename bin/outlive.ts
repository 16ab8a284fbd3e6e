import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { OutliveStack } from "../lib/outlive-stack.ts";
import { readSettings, refuseUnknownSettings, SettingsRefusedError } from "../lib/settings.ts";

try {
  const app = new App({ analyticsReporting: false });
  refuseUnknownSettings(Object.keys(app.node.getAllContext() as object));
  const settings = readSettings((name) => app.node.tryGetContext(name));
  new OutliveStack(app, `Outlive-${settings.stage}`, { settings, terminationProtection: !settings.disposable });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
} catch (cause) {
  if (!(cause instanceof SettingsRefusedError)) throw cause;
  process.stderr.write(`${cause.message}\n`);
  process.exitCode = 1;
}
