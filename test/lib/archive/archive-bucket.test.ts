import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { LIVE, synthesise, TRIAL } from "../synthesised.ts";

const { template, resources } = synthesise({ ...LIVE, archive: "true" });
const bucketOf = (stage: Pick<ReturnType<typeof synthesise>, "resources">) =>
  [...stage.resources].find(([, { path }]) => path === "Archive/Objects/Bucket")?.[1];

describe("the bucket of the archive", () => {
  it("is private, encrypted and versioned, and stays when the stack is deleted", () => {
    expect(bucketOf({ resources })).toMatchObject({
      deletionPolicy: "Retain",
      properties: {
        VersioningConfiguration: { Status: "Enabled" },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: { ServerSideEncryptionConfiguration: [expect.anything()] },
      },
    });
  });

  it("never deletes a current object, and replaced parts after five weeks", () => {
    const rules = bucketOf({ resources })?.properties["LifecycleConfiguration"];
    expect(rules).toMatchObject({
      Rules: [
        { NoncurrentVersionExpiration: { NoncurrentDays: 35 }, Status: "Enabled" },
        { Prefix: "archive/segments/", Transitions: [{ StorageClass: "GLACIER_IR", TransitionInDays: 90 }] },
      ],
    });
    expect(JSON.stringify(rules)).not.toContain("ExpirationInDays");
  });

  it("refuses writes that could replace an object, and requests without TLS", () => {
    template.hasResourceProperties("AWS::S3::BucketPolicy", {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
          Match.objectLike({
            Sid: "ObjectsAreNeverReplaced",
            Effect: "Deny",
            Action: "s3:PutObject",
            Principal: { AWS: "*" },
            Condition: { Null: { "s3:if-none-match": "true" } },
          }),
        ]),
      },
    });
  });

  it("locks its objects if so configured", () => {
    const locked = bucketOf(synthesise({ ...LIVE, archive: "true", archiveLockDays: "30" }))?.properties;
    expect(locked).toMatchObject({
      ObjectLockEnabled: true,
      ObjectLockConfiguration: { Rule: { DefaultRetention: { Days: 30, Mode: "GOVERNANCE" } } },
    });
    expect(bucketOf({ resources })?.properties["ObjectLockEnabled"]).toBeUndefined();
  });

  it("is encrypted with the key of the stage, and deleted with a disposable one", () => {
    const customer = bucketOf(synthesise({ ...LIVE, archive: "true", encryption: "customer" }))?.properties;
    expect(JSON.stringify(customer?.["BucketEncryption"])).toContain("aws:kms");
    expect(bucketOf(synthesise({ ...TRIAL, archive: "true" }))?.deletionPolicy).toBe("Delete");
  });

  it("does not exist unless the stage is archived", () => {
    expect(bucketOf(synthesise(LIVE))).toBeUndefined();
  });
});
