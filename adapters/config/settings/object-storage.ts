import { type Kind, type SettingContext, setting } from '../declare-setting.ts';
import { baseAddress, reads } from '../value-kinds.ts';
import * as read from '../value-parsers.ts';
import { commonRegion, regionName } from './aws.ts';

const bucketUrl: Kind<read.Bucket> = {
  ...reads('of the form s3://bucket or s3://bucket/prefix', read.bucket),
  show: ({ bucket, prefix }) => `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`,
};

export const objects = {
  /**
   * Bucket for avatars, on S3 or a compatible service; [below](#with-objects_url). Each installation needs its own
   * bucket or prefix, since it removes avatars that none of its accounts shows. Example:
   * `s3://example-avatars/gatehouse`.
   *
   * Null: the store keeps them.
   */
  objectsUrl: setting('OBJECTS_URL', bucketUrl, { byDefault: 'with the store' }),
};

const endpoint = ({ texts }: SettingContext): string | null =>
  read.baseAddress(texts.S3_ENDPOINT ?? texts.AWS_ENDPOINT_URL ?? '') ?? null;

export const s3 = {
  /**
   * Base address of a service compatible with S3. The bucket is then part of the path, not of the host name. Example:
   * `https://minio.example.com`.
   */
  endpoint: setting('S3_ENDPOINT', baseAddress, {
    byDefault: '`AWS_ENDPOINT_URL`, or the public one of the region',
    orElse: endpoint,
  }),
  /** Region of the bucket. Example: `eu-central-1`. */
  region: setting('S3_REGION', regionName, {
    byDefault: '`AWS_REGION`; `us-east-1` with an endpoint; that of the AWS configuration file',
    orElse: (context) => commonRegion(context) ?? (endpoint(context) === null ? null : 'us-east-1'),
  }),
};
