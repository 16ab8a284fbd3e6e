import { vi } from "vitest";

/** Lets clients of the AWS SDK send their requests to this address. `vi.unstubAllEnvs` ends it. */
export function stubEndpoint(address: string): void {
  vi.stubEnv("AWS_ENDPOINT_URL", new URL(address).origin);
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
}
